import { gunzipSync } from 'node:zlib';

import { expect, test } from 'vitest';

import { gzipOf, stored } from './gzip.ts';
import { JsonText, SharedJson, piecesOf } from './json-text.ts';

const entries = Array.from({ length: 5000 }, (_, id) => ({ id, name: `Zażółć ${id} 🙂`, email: '' }));
const shared = new SharedJson(entries);

const plainOf = (body: object) =>
  Buffer.concat(
    (piecesOf(body) ?? []).flatMap((piece) => (piece instanceof JsonText ? piece.plain : [piece])),
  );
async function unzipped(body: object): Promise<Buffer> {
  const parts = (piecesOf(body) ?? []).map(async (piece) =>
    piece instanceof JsonText ? await piece.deflated() : [stored(piece)],
  );
  return gunzipSync(Buffer.concat(gzipOf((await Promise.all(parts)).flat())));
}

test.each([0, 1, 2500, 4999])('an own entry takes the place of entry %i, and nothing else', async (id) => {
  const own = { id, name: 'ja', email: 'ja@example.org' };
  const mine = shared.with(JSON.stringify(entries[id]), JSON.stringify(own));
  const expected = entries.with(id, own);
  expect(mine?.toJSON()).toEqual(expected);
  const whole = `${JSON.stringify({ msg: 'ę', n: 1, list: expected, other: entries })}\n`;
  const body = { msg: 'ę', list: mine, n: 1, other: shared };
  expect(plainOf(body).toString()).toBe(whole);
  expect((await unzipped(body)).toString()).toBe(whole);
});

test('what is not in it has no place in it', () => {
  expect(shared.with('{"id":5000', '{}')).toBeNull();
});

test('a body of nothing else, and one without it', () => {
  const list = new SharedJson([1]);
  expect(plainOf({ list }).toString()).toBe('{"list":[1]}\n');
  expect(plainOf({ a: list, b: list }).toString()).toBe('{"a":[1],"b":[1]}\n');
  expect(piecesOf({ list: [1] })).toBeNull();
});

test('two own versions hold the memory of one, plain and compressed', async () => {
  const mine = [1, 4000].map((id) => shared.with(JSON.stringify(entries[id]), '{"id":"own"}'));
  const memoryOf = (buffers: readonly Buffer[] = []) =>
    new Set(buffers.filter(({ length }) => length > 100).map(({ buffer }) => buffer));
  const [one, other] = mine.map((text) => memoryOf(text?.plain));
  expect(one).toEqual(new Set([shared.bytes.buffer]));
  expect(other).toEqual(one);
  const blocks = await Promise.all(
    mine.map(async (text) => new Set((await text?.deflated())?.flatMap((part) => part.blocks))),
  );
  const all = (await shared.deflated()).flatMap((part) => part.blocks);
  // Each lacks the part in which its own entry is.
  const lacking = blocks.map((some) => all.filter((block) => !some.has(block)).length);
  expect(lacking).toEqual([1, 1]);
  expect(all.length).toBeGreaterThan(3);
});
