import { describe, expect, test } from 'vitest';

import {
  type Person,
  type SentFile,
  basic,
  call,
  getWorld,
  realm,
  text,
  upload,
} from '../../support/index.ts';

describe('a file as it is sent', () => {
  const headersOf = async (by: Person, file: SentFile) =>
    (await by.fetch(encodeURI(await upload(by, file)))).headers;

  test.each([
    ['image/png', 'inline'],
    ['image/webp', 'inline'],
    ['audio/mpeg', 'inline'],
    ['video/mp4', 'inline'],
    ['application/pdf', 'inline'],
    ['text/plain', 'inline'],
    ['text/html', 'attachment'],
    ['image/svg+xml', 'attachment'],
    ['application/xhtml+xml', 'attachment'],
    ['application/javascript', 'attachment'],
    ['application/zip', 'attachment'],
    ['multipart/x-mixed-replace', 'attachment'],
  ])('%s is sent as %s, and runs nothing', async (type, disposition) => {
    const { alice } = await realm();
    const headers = await headersOf(alice, { name: 'a file', content: '<script>alert(1)</script>', type });
    expect(headers['content-type']).toBe(type === 'text/plain' ? 'text/plain; charset=utf-8' : type);
    expect(headers['content-disposition']).toMatch(new RegExp(`^${disposition};`));
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['content-security-policy']).toContain("default-src 'none'");
    const isSandboxed = String(headers['content-security-policy']).startsWith('sandbox;');
    expect(isSandboxed).toBe(type !== 'application/pdf');
  });

  test('is called what it was called, whatever that was', async () => {
    const { alice } = await realm();
    const { 'content-disposition': disposition } = await headersOf(
      alice,
      text('x', "Bericht 'für' \u{1F600}.zip"),
    );
    expect(disposition).toBe(
      `attachment; filename="Bericht _f_r_ __.zip"; filename*=UTF-8''Bericht%20%27f%C3%BCr%27%20%F0%9F%98%80.zip`,
    );
  });

  test.each([
    ['\u202egnp.exe', 'gnp.exe'],
    ['a\u2066b\u2069\u200f.zip', 'ab.zip'],
    ['a\u2028b\u0085\ufeff\u200b.zip', 'ab.zip'],
    ['\u{1F469}\u200d\u{1F467}.zip', '\u{1F469}\u200d\u{1F467}.zip'],
    ['\u202e', 'file'],
  ])('%j is called and stored as %j', async (sent, name) => {
    const { alice } = await realm();
    const { body } = await alice.upload('/user_uploads', [
      { name: sent, content: 'x', type: 'application/zip' },
    ]);
    expect(body.filename).toBe(name);
    const { headers } = await alice.fetch(encodeURI(body.url));
    expect(headers['content-disposition']).toContain(`filename*=UTF-8''${encodeURIComponent(name)}`);
  });

  test.each([
    ['a.pdf', undefined, 'application/pdf'],
    ['a.mp4', 'application/octet-stream', 'video/mp4'],
    ['a.csv', 'text/plain', 'text/csv'],
    ['a', undefined, 'text/plain; charset=utf-8'],
    ['a.weird', 'application/octet-stream', 'application/octet-stream'],
    ['a.txt', 'text/plain; charset=latin1', 'text/plain; charset=utf-8'],
    ['a.bin', 'not a type\t', 'application/octet-stream'],
  ])('%s from a program that says %s is %s', async (name, type, expected) => {
    const { alice } = await realm();
    const file = { name, content: 'x', ...(type !== undefined && { type }) };
    expect((await headersOf(alice, file))['content-type']).toBe(expected);
  });

  test('is kept by the browser, and asked for again at no cost', async () => {
    const { alice, bob } = await realm();
    const url = await upload(alice);
    const { headers } = await alice.fetch(url);
    expect(headers['cache-control']).toBe('private, max-age=31536000, immutable');
    const again = await alice.fetch(url, { 'If-None-Match': String(headers['etag']) });
    expect([again.status, again.text, again.headers['etag']]).toEqual([304, '', headers['etag']]);
    expect((await bob.fetch(url, { 'If-None-Match': String(headers['etag']) })).status).toBe(403);
    expect((await alice.fetch(url, { 'If-None-Match': '"another"' })).status).toBe(200);
  });

  test.each([
    ['bytes=2-4', 206, '234', 'bytes 2-4/10'],
    ['bytes=7-', 206, '789', 'bytes 7-9/10'],
    ['bytes=-3', 206, '789', 'bytes 7-9/10'],
    ['bytes=0-999', 206, '0123456789', 'bytes 0-9/10'],
    ['bytes=-999', 206, '0123456789', 'bytes 0-9/10'],
    ['bytes=10-', 416, '', 'bytes */10'],
    ['bytes=-0', 416, '', 'bytes */10'],
    ['bytes=4-2', 200, '0123456789', undefined],
    ['bytes=0-1,3-4', 200, '0123456789', undefined],
    ['lines=1-2', 200, '0123456789', undefined],
  ])('a part of it: %s', async (range, status, content, span) => {
    const { alice } = await realm();
    const url = await upload(alice, text('0123456789'));
    const reply = await alice.fetch(url, { Range: range });
    expect([reply.status, reply.text, reply.headers['content-range']]).toEqual([status, content, span]);
    expect(reply.headers['content-length']).toBe(String(content.length));
  });

  test('a part of what has changed since is all of it', async () => {
    const { alice } = await realm();
    const url = await upload(alice, text('0123456789'));
    const { etag } = (await alice.fetch(url)).headers;
    const ask = (ifRange: string) => alice.fetch(url, { Range: 'bytes=0-1', 'If-Range': ifRange });
    expect((await ask(String(etag))).status).toBe(206);
    expect((await ask('"another"')).status).toBe(200);
  });

  test('can be asked about without being sent', async () => {
    const { alice } = await realm();
    const { ports } = await getWorld();
    const path = await upload(alice, text('0123456789'));
    const headers = { Host: alice.realm.host, Authorization: basic(alice.email, alice.apiKey) };
    const reply = await call({ port: ports.api, method: 'HEAD', path, headers });
    expect([reply.status, reply.text, reply.headers['content-length']]).toEqual([200, '', '10']);
  });
});
