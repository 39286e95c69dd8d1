import { expect, test } from 'vitest';

import { call, getWorld, realm } from '../support/index.ts';

async function get(path: string, headers: Record<string, string> = {}) {
  const { ports } = await getWorld();
  const { host } = (await realm()).realm;
  return await call({ port: ports.api, method: 'GET', path, headers: { Host: host, ...headers } });
}

test('the document is for anyone, and caches keep it', async () => {
  const { status, headers, body } = await get('/api/openapi.json');
  expect(status).toBe(200);
  expect(headers['content-type']).toBe('application/json; charset=utf-8');
  expect(headers['cache-control']).toBe('public, max-age=3600');
  expect(body).toMatchObject({
    openapi: '3.1.0',
    paths: { '/messages': { post: {} }, '/events': { get: {} } },
  });
  const again = await get('/api/openapi.json', { 'If-None-Match': String(headers['etag']) });
  expect(again).toMatchObject({ status: 304, text: '' });
});

test('the reference page has all it needs on this server, and may ask no other', async () => {
  const page = await get('/api/docs');
  expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
  expect(page.headers['content-security-policy']).toContain("script-src 'self'");
  expect(page.text).not.toMatch(/https?:/);
  const assets = [...page.text.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, path]) => path ?? '');
  expect(assets.length).toBe(3);
  for (const asset of assets) {
    const { status, headers } = await get(asset);
    expect(status, asset).toBe(200);
    expect(headers['content-type'], asset).toMatch(/^text\/(css|javascript); charset=utf-8$/);
  }
});
