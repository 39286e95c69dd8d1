import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { GivenFiles } from './given-files.ts';

const folder = await mkdtemp(join(tmpdir(), 'parley-given-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

let given: GivenFiles;
beforeAll(async () => {
  const files = {
    F1: '1',
    'F2-notes.txt': '22',
    'F3/plan.pdf': '333',
    '.F4.part': '4444',
    'emoji/party_parrot.png': 'picture',
    'emoji/.lost.png.part': 'half',
  };
  for (const [path, content] of Object.entries(files)) {
    await mkdir(join(folder, path, '..'), { recursive: true });
    await writeFile(join(folder, path), content);
  }
  given = await GivenFiles.read(folder);
});

test('a file is found by its id, whatever follows it in its name', () => {
  expect(['F1', 'F2', 'F3'].map((id) => given.find(id)?.bytes)).toEqual([1, 2, 3]);
});

test('half a file is not taken for one', async () => {
  expect(['F4', '.F4.part', ''].map((id) => given.find(id))).toEqual([undefined, undefined, undefined]);
  expect(await given.readEmoji('lost')).toBeUndefined();
});

test('the picture of an emoji is that of its whole name', async () => {
  expect(await given.readEmoji('party_parrot')).toEqual(Buffer.from('picture'));
  expect(await given.readEmoji('party')).toBeUndefined();
});

test('nothing is found where no folder is given', async () => {
  expect((await GivenFiles.read(undefined)).find('F1')).toBeUndefined();
});
