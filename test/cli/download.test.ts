import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, expect, test } from 'vitest';

import { smallMattermostExport } from '../import-archives/mattermost-small.ts';
import { smallSlackDownloads, smallSlackExport } from '../import-archives/slack-small.ts';
import { jsonFiles, writeZip } from '../import-archives/zip.ts';
import { parley, parleyJson, withProcesses } from '../support/index.ts';

const folder = await mkdtemp(join(tmpdir(), 'parley-download-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

const contents: Record<string, Buffer | undefined> = {
  '/F1': smallSlackDownloads['F1-notes.txt'],
  '/party.png': smallSlackDownloads['emoji/party.png'],
};
const server = createServer(({ url = '' }, response) => {
  const content = contents[url];
  if (content) response.writeHead(200, { 'content-type': 'application/octet-stream' }).end(content);
  else response.writeHead(404).end();
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
afterAll(() => void server.close());
const { port } = server.address() as AddressInfo;

const archive = join(folder, 'slack.zip');
const atHome = JSON.stringify(smallSlackExport()).replaceAll(
  /https:\/\/\w+\.slack\.example/g,
  `http://127.0.0.1:${port}`,
);
await writeZip(archive, jsonFiles(JSON.parse(atHome) as Record<string, unknown>));
const files = join(folder, 'files');
const args = ['download', archive, '--files', files, '--hosts', '127.0.0.1'];

interface Plan {
  plan: { kinds: Record<string, { read: number; kept: number }> };
}

test('files of Slack are downloaded, once, into a folder that an import takes', withProcesses, async () => {
  const first = await parley([...args, '--json']);
  expect(first.code).toBe(1);
  expect(JSON.parse(first.stdout)).toEqual({
    downloaded: 2,
    there_already: 0,
    failed: 2,
    failures: expect.arrayContaining([
      { file: 'F2', reason: 'the host answered with status 404' },
      { file: 'emoji/lost.png', reason: 'the host answered with status 404' },
    ]) as unknown,
    not_there: { 'deleted, or not shown to anybody': 1 },
  });
  contents['/F2'] = Buffer.from('second');
  contents['/lost.png'] = contents['/party.png'];
  const second = await parley(args);
  expect(second.code).toBe(0);
  expect(second.stdout).toContain('2 downloaded, 2 there already, 0 failed.');
  expect((await readdir(files)).toSorted()).toEqual(['F1', 'F2', 'emoji']);
  const { plan } = await parleyJson<Plan>(['import', archive, '--plan', '--files', files]);
  expect(plan.kinds['files']).toMatchObject({ read: 3, kept: 2 });
  expect(plan.kinds['emoji']).toMatchObject({ read: 2, kept: 2 });
});

test('only hosts of Slack are asked unless others are named', async () => {
  const elsewhere = join(folder, 'elsewhere');
  const { code, stdout } = await parley(['download', archive, '--files', elsewhere]);
  expect(code).toBe(1);
  expect(stdout).toContain('127.0.0.1 is none of the hosts to ask');
  expect(await readdir(elsewhere)).toEqual(['emoji']);
});

test('an archive that has its files is not downloaded for', async () => {
  const other = join(folder, 'mattermost.zip');
  await writeZip(other, smallMattermostExport());
  const { code, stderr } = await parley(['download', other, '--files', files]);
  expect(code).toBe(1);
  expect(stderr).toContain('An archive of mattermost has its files with it.');
});
