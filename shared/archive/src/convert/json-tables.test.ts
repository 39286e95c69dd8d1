import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { ArchivePlace } from '@parley/protocol';
import { afterAll, expect, test } from 'vitest';

import { openTables } from './json-tables.ts';

const folder = await mkdtemp(join(tmpdir(), 'parley-tables-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

async function open(content: string | Buffer) {
  const file = join(folder, 'file.json');
  await writeFile(file, content);
  return await openTables(file, 'a/file.json');
}

async function read(content: string | Buffer, table: string) {
  const found: { row: unknown; where: ArchivePlace }[] = [];
  for await (const { rows, where } of (await open(content)).rows(table)) {
    found.push(...rows.map((row, index) => ({ row, where: where(index) })));
  }
  return found;
}

/** With two of these, a file is larger than what is parsed as a whole. */
const padding = ' '.repeat(9 * 1024 * 1024);
const tables = '{\n"a": [\n{"x": "}],[\\"", "y": [[1, {}], 2]},\n\n{"x": 2}\n],\n"b": [ ],\n"c": "text" }';
const expected = [
  { row: { x: '}],["', y: [[1, {}], 2] }, where: { path: 'a/file.json', line: 3 } },
  { row: { x: 2 }, where: { path: 'a/file.json', line: 5 } },
];

test.each([
  ['small', tables],
  ['large', tables.replaceAll(/(?<=[[,])\n(?=[{\n])/g, `\n${padding}`)],
])('the tables of a %s file are read with the lines of their rows', async (_, content) => {
  const opened = await open(content);
  expect([opened.names, opened.countOf('a'), opened.countOf('b'), opened.countOf('d')]).toEqual([
    ['a', 'b'],
    2,
    0,
    0,
  ]);
  expect(await read(content, 'a')).toEqual(expected);
  expect(await read(content, 'b')).toEqual([]);
  expect(await read(content, 'c')).toEqual([]);
});

test('a list alone is the table without a name, also in pieces', async () => {
  const rows = Array.from({ length: 40_000 }, (_, id) => ({ id, text: 'ü"'.repeat(150) }));
  const opened = await open(`[\n${rows.map((row) => JSON.stringify(row)).join(',\n')}\n]`);
  const found: unknown[] = [];
  let last: ArchivePlace = {};
  for await (const batch of opened.rows('')) {
    found.push(...batch.rows);
    last = batch.where(batch.rows.length - 1);
  }
  expect(found).toEqual(rows);
  expect(last).toEqual({ path: 'a/file.json', line: 40_001 });
});

test.each([
  ['that was cut off', '{"a": [{"x": 1},\n{"x": "', 'it ends too early, at line 2 of a/file.json'],
  ['without content', '', 'it ends too early, at line 1 of a/file.json'],
  ['with broken JSON', '{"a": [\n{"x": 1},\n{"x": }]}', 'line 3 of a/file.json is no JSON'],
  ['with broken JSON around its tables', '{"a": [], \n, "b": []}', 'line 2 of a/file.json is no JSON'],
  ['with rows that are none', '{"a": [\n1]}', 'line 2 of a/file.json is no object'],
  ['with more than an object', '{"a": []}\n]', 'line 2 of a/file.json is no JSON'],
  [
    'with bytes that are no text',
    Buffer.concat([Buffer.from('{"a": [{},\n{"x": "'), Buffer.from([0xff]), Buffer.from('"}]}')]),
    'line 2 of a/file.json is not text',
  ],
  [
    'with a line that is too long',
    `{"a": [\n{"x": "${'x'.repeat(18 * 1024 * 1024)}"}]}`,
    'line 2 of a/file.json is longer than 16 MiB',
  ],
])('a file %s is refused with the line', async (_, content, reason) => {
  await expect(read(content, 'a')).rejects.toThrow(`The archive is damaged: ${reason}.`);
});
