import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { RemoteFile } from '@parley/archive';
import { limits } from '@parley/protocol';
import { afterAll, beforeEach, expect, test } from 'vitest';

import { type DownloadOptions, type DownloadOutcome, downloadFiles } from './download-files.ts';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

const answers = new Map<string, Answer[]>();
const asked: { path: string; authorization: string | undefined }[] = [];
/** A host that answers with what the test has for a path, one after the other. */
const server = createServer((request, response) => {
  const path = request.url ?? '';
  asked.push({ path, authorization: request.headers.authorization });
  const left = answers.get(path) ?? [];
  const answer = left.length > 1 ? left.shift() : left[0];
  if (answer) answer(request, response);
  else response.writeHead(404).end();
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const { port } = server.address() as AddressInfo;
const folder = await mkdtemp(join(tmpdir(), 'parley-download-'));
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  answers.clear();
  asked.length = 0;
  await rm(folder, { recursive: true, force: true });
});

const content =
  (text: string, type = 'application/pdf'): Answer =>
  (_, response) =>
    response.writeHead(200, { 'content-type': type }).end(text);
const status =
  (code: number): Answer =>
  (_, response) =>
    response.writeHead(code).end();

const fileAt = (place: string, path: string, bytes: number | null = null): RemoteFile => ({
  place,
  url: `http://127.0.0.1:${port}${path}`,
  bytes,
  type: 'application/pdf',
  done: 1,
  of: 1,
});

async function* each(files: RemoteFile[]) {
  yield* files;
}

async function download(
  files: RemoteFile[],
  differing: Partial<DownloadOptions> = {},
): Promise<Record<string, DownloadOutcome>> {
  const outcomes: Record<string, DownloadOutcome> = {};
  await downloadFiles(each(files), {
    folder,
    hosts: ['127.0.0.1'],
    token: null,
    parallel: 3,
    perMinute: 60_000_000,
    retryMs: 1,
    onFile: ({ place }, outcome) => {
      outcomes[place] = outcome;
    },
    ...differing,
  });
  return outcomes;
}

test('files and pictures of emoji get their places, and a host that asks to wait is asked again', async () => {
  answers.set('/a', [status(429), status(503), content('first')]);
  answers.set('/b', [content('second')]);
  answers.set('/party.png', [content('picture', 'image/png')]);
  const files = [fileAt('F1', '/a', 5), fileAt('F2', '/b'), fileAt('emoji/party.png', '/party.png')];
  expect(await download(files)).toEqual({
    F1: 'downloaded',
    F2: 'downloaded',
    'emoji/party.png': 'downloaded',
  });
  expect(asked.filter(({ path }) => path === '/a')).toHaveLength(3);
  expect(await readFile(join(folder, 'F1'), 'utf8')).toBe('first');
  expect(await readFile(join(folder, 'emoji/party.png'), 'utf8')).toBe('picture');
});

test('what is there is not asked for, unless it has another size', async () => {
  answers.set('/a', [content('whole')]);
  await download([fileAt('F1', '/a', 5)]);
  await writeFile(join(folder, 'F2'), 'who');
  asked.length = 0;
  const again = [fileAt('F1', '/a', 5), fileAt('F2', '/a', 5)];
  expect(await download(again)).toEqual({ F1: 'there already', F2: 'downloaded' });
  expect(asked).toHaveLength(1);
  expect(await readFile(join(folder, 'F2'), 'utf8')).toBe('whole');
});

test('a file that is cut off goes on where it ended', async () => {
  answers.set('/a', [
    (_, response) => {
      response.writeHead(200, { 'content-type': 'application/pdf', 'content-length': 10, etag: '"1"' });
      response.write('01234', () => response.socket?.destroy());
    },
    ({ headers }, response) => {
      const from = Number(/^bytes=(\d+)-/.exec(headers.range ?? '')?.[1]);
      response
        .writeHead(206, { 'content-range': `bytes ${from}-9/10`, 'content-length': 10 - from, etag: '"1"' })
        .end('0123456789'.slice(from));
    },
  ]);
  expect(await download([fileAt('F1', '/a', 10)])).toEqual({ F1: 'downloaded' });
  expect(await readFile(join(folder, 'F1'), 'utf8')).toBe('0123456789');
});

test('what is not the file is not taken for it, and nothing is left of it', async () => {
  answers.set('/sign-in?t=secret', [content('<html>Sign in</html>', 'text/html; charset=utf-8')]);
  answers.set('/gone', [status(403)]);
  answers.set('/short', [content('abc')]);
  answers.set('/large', [
    (_, response) => {
      response.writeHead(200);
      const part = Buffer.alloc(2 ** 20);
      const write = () => {
        while (!response.destroyed && response.write(part));
        if (!response.destroyed) response.once('drain', write);
      };
      write();
    },
  ]);
  const outcomes = await download([
    fileAt('F1', '/sign-in?t=secret'),
    fileAt('F2', '/gone'),
    fileAt('F3', '/short', 4),
    fileAt('F4', '/large'),
    { ...fileAt('F5', '/'), url: 'nowhere' },
  ]);
  expect(outcomes).toEqual({
    F1: { failed: expect.stringContaining('a page instead') as unknown },
    F2: { failed: 'the host answered with status 403' },
    F3: { failed: '3 of 4 bytes came' },
    F4: { failed: `it is larger than ${limits.uploadMebibytes} MiB` },
    F5: { failed: 'its address is none' },
  });
  expect(JSON.stringify(outcomes)).not.toContain('secret');
  expect(await readdir(folder)).toEqual(['emoji']);
});

test('a host that is not named is never asked, not even if another one leads there', async () => {
  answers.set('/away', [
    (_, response) => response.writeHead(302, { location: `http://localhost:${port}/inside` }).end(),
  ]);
  const outcomes = await download([
    fileAt('F1', '/away'),
    { ...fileAt('F2', '/'), url: `http://localhost:${port}/inside` },
  ]);
  const failed = { failed: 'localhost is none of the hosts to ask (--hosts)' };
  expect(outcomes).toEqual({ F1: failed, F2: failed });
  expect(asked.map(({ path }) => path)).toEqual(['/away']);
});

test('hosts get the token, and a host that does not answer is told', async () => {
  answers.set('/a', [content('x')]);
  const closed = { ...fileAt('F2', '/'), url: 'http://127.0.0.1:1/' };
  const outcomes = await download([fileAt('F1', '/a'), closed], { token: 'xoxp-1', hosts: ['127.0.0.1'] });
  expect(asked).toEqual([{ path: '/a', authorization: 'Bearer xoxp-1' }]);
  expect(outcomes).toEqual({ F1: 'downloaded', F2: { failed: 'the host did not send it (ECONNREFUSED)' } });
});
