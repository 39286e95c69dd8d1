import { createHash } from 'node:crypto';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';

import { describe, expect, test } from 'vitest';

import { call, getWorld, realm, succeed } from '../support/index.ts';

const browser = { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

/** Asks the api node at a host, as somebody's browser does. */
async function ask(host: string, path: string, headers: Record<string, string> = {}, method = 'GET') {
  const { ports } = await getWorld();
  return await call({ port: ports.api, method, path, headers: { Host: host, ...browser, ...headers } });
}

async function hostOfRealm(): Promise<string> {
  const { realm: home } = await realm();
  return home.host;
}

/** The address of a script that the page names. */
async function scriptOf(host: string): Promise<string> {
  const { text } = await ask(host, '/');
  return /<script [^>]*type="module"[^>]* src="(\/static\/web\/[^"]+\.js)"/.exec(text)?.[1] ?? '';
}

describe('the page of the web client', () => {
  test('is sent to browsers, and asked for anew each time', async () => {
    const { status, headers, text } = await ask(await hostOfRealm(), '/');
    expect(status).toBe(200);
    expect(text).toMatch(/^<!doctype html>/);
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      vary: 'Accept, Accept-Encoding',
    });
  });

  test('may run its own scripts, and of what stands in it the one that was built into it', async () => {
    const { headers, text } = await ask(await hostOfRealm(), '/');
    const policy = new Map(
      String(headers['content-security-policy'])
        .split('; ')
        .map((rule) => [rule.split(' ')[0], rule.split(' ').slice(1).join(' ')]),
    );
    expect(policy.get('default-src')).toBe("'none'");
    const [, script = ''] = /<script>([^]*?)<\/script>/.exec(text) ?? [];
    expect(script).toContain('/register');
    const hash = createHash('sha256').update(script).digest('base64');
    expect(policy.get('script-src')).toBe(`'self' 'sha256-${hash}'`);
    expect(policy.get('style-src')).toBe("'self'");
    expect(policy.get('connect-src')).toBe("'self'");
    expect(policy.get('frame-ancestors')).toBe("'none'");
    expect(policy.get('base-uri')).toBe("'none'");
    expect(policy.get('require-trusted-types-for')).toBe("'script'");
    expect(text.replace(`<script>${script}</script>`, '')).not.toMatch(
      /<script(?![^>]* src=)|<style|\son\w+=|\sstyle=|javascript:/i,
    );
  });

  test('is not sent again to a browser that has it', async () => {
    const host = await hostOfRealm();
    const { headers } = await ask(host, '/');
    const tag = String(headers['etag']);
    const again = await ask(host, '/', { 'If-None-Match': `"other", W/${tag}` });
    expect([again.status, again.text]).toEqual([304, '']);
    expect(again.headers).toMatchObject({ etag: tag, 'cache-control': 'no-cache' });
    expect((await ask(host, '/', { 'If-None-Match': '"other"' })).status).toBe(200);
  });

  test('is nothing to programs that accept JSON', async () => {
    const { status, body } = await ask(await hostOfRealm(), '/', { Accept: 'application/json' });
    expect([status, body]).toMatchObject([404, { result: 'error', code: 'NOT_FOUND' }]);
  });

  test('is not where there is no organization: a page says so', async () => {
    const { site } = await getWorld();
    const { status, headers, text } = await ask(`nobody.${site.baseHost}`, '/');
    expect(status).toBe(404);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(text).toContain('There is no organization at this address.');
    expect(text).not.toContain('<script');
  });

  test('is asked for by GET and HEAD alone', async () => {
    const host = await hostOfRealm();
    const head = await ask(host, '/', {}, 'HEAD');
    expect([head.status, head.text]).toEqual([200, '']);
    expect((await ask(host, '/', {}, 'POST')).status).toBe(404);
  });
});

describe('the files of the web client', () => {
  test('are kept by browsers for ever', async () => {
    const host = await hostOfRealm();
    const { status, headers } = await ask(host, await scriptOf(host));
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      vary: 'Accept-Encoding',
    });
  });

  test('are sent compressed to whoever takes that, each form under a tag of its own', async () => {
    const host = await hostOfRealm();
    const path = await scriptOf(host);
    const { ports } = await getWorld();
    const url = (encoding: string) =>
      call({ port: ports.api, method: 'GET', path, headers: { Host: host, 'Accept-Encoding': encoding } });
    const [plain, zipped, best] = [await url('identity'), await url('gzip'), await url('gzip, deflate, br')];
    expect(plain.headers['content-encoding']).toBeUndefined();
    expect(zipped.headers['content-encoding']).toBe('gzip');
    expect(best.headers['content-encoding']).toBe('br');
    expect(gunzipSync(zipped.bytes).toString()).toBe(plain.text);
    expect(brotliDecompressSync(best.bytes).toString()).toBe(plain.text);
    expect(new Set([plain, zipped, best].map(({ headers }) => headers['etag'])).size).toBe(3);
    expect((await url('br;q=0, gzip;q=0.5')).headers['content-encoding']).toBe('gzip');
  });

  test('are answered from what a browser has', async () => {
    const host = await hostOfRealm();
    const path = await scriptOf(host);
    const { headers } = await ask(host, path, { 'Accept-Encoding': 'br' });
    const again = await ask(host, path, {
      'Accept-Encoding': 'br',
      'If-None-Match': String(headers['etag']),
    });
    expect([again.status, again.text]).toEqual([304, '']);
  });

  test.each([
    '/static/web/other.js',
    '/static/web/..%2Findex.html',
    '/static/web/',
    '/index.html',
    '/built-from',
  ])('are no others: %s', async (path) => {
    const { status, headers, body } = await ask(await hostOfRealm(), path);
    expect([status, body]).toMatchObject([404, { code: 'NOT_FOUND' }]);
    expect(headers['cache-control'] ?? '').not.toContain('immutable');
  });
});

describe('the service worker', () => {
  test('is asked for anew each time, and may ask its own server', async () => {
    const { status, headers, text } = await ask(await hostOfRealm(), '/service-worker.js');
    expect([status, text.length > 1000]).toEqual([200, true]);
    expect(headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'no-cache',
      'content-security-policy': "default-src 'none'; connect-src 'self'",
    });
  });

  test('names the files that the page loads first, and no path of this machine', async () => {
    const host = await hostOfRealm();
    const { text } = await ask(host, '/service-worker.js');
    expect(text).toContain(await scriptOf(host));
    expect(text).not.toContain(process.cwd());
  });

  test('removes itself, and what it has kept, where operators do not want it', async () => {
    const { startApi } = await getWorld();
    await using node = await startApi({ hasServiceWorker: false });
    const { status, text } = await call({
      port: node.port,
      method: 'GET',
      path: '/service-worker.js',
      headers: { Host: await hostOfRealm(), ...browser },
    });
    expect([status, text]).toEqual([200, expect.stringContaining('registration.unregister()')]);
    expect(text).not.toContain("'fetch'");
  });
});

describe('the manifest of the installed client', () => {
  test('has the name of the organization, and icons that are there', async () => {
    const { owner, realm: home } = await realm();
    await succeed(owner.patch('/realm', { name: 'Aperture & <Friends>' }));
    const { status, headers, text } = await ask(home.host, '/manifest.webmanifest');
    expect([status, headers['content-type'], headers['cache-control']]).toEqual([
      200,
      'application/manifest+json',
      'no-cache',
    ]);
    const manifest = JSON.parse(text);
    expect(manifest).toMatchObject({
      name: 'Aperture & <Friends>',
      id: '/',
      start_url: '/',
      scope: '/',
      display: 'standalone',
    });
    expect(manifest.shortcuts.length).toBeGreaterThan(1);
    const icons = await Promise.all(
      manifest.icons.map(async ({ src, sizes, purpose }: Record<string, string>) => {
        const icon = await ask(home.host, src ?? '');
        return [icon.status, icon.headers['content-type'], sizes, purpose];
      }),
    );
    expect(icons).toEqual([
      [200, 'image/png', '192x192', 'any'],
      [200, 'image/png', '512x512', 'any'],
      [200, 'image/png', '512x512', 'maskable'],
    ]);
  });

  test('is not where there is no organization', async () => {
    const { site } = await getWorld();
    expect((await ask(`nobody.${site.baseHost}`, '/manifest.webmanifest')).status).toBe(404);
  });
});
