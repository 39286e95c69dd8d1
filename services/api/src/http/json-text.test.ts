import { gunzipSync } from 'node:zlib';

import { describe, expect, test } from 'vitest';

import { gzipOf, stored } from './gzip.ts';
import {
  CompressedFields,
  JsonText,
  SharedJson,
  joinTexts,
  ownList,
  ownText,
  piecesOf,
} from './json-text.ts';

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

test('texts are joined in their order, plain and compressed, and own ones among them are not compressed', async () => {
  const own = ownText(Buffer.from(JSON.stringify('secret '.repeat(1000))));
  const joined = joinTexts([
    ownText(Buffer.from('[')),
    shared,
    ownText(Buffer.from(',')),
    own,
    ownText(Buffer.from(']')),
  ]);
  const list = [entries, 'secret '.repeat(1000)];
  expect(joined.toJSON()).toEqual(list);
  const whole = `${JSON.stringify({ msg: 'ę', n: 1, list, other: entries })}\n`;
  const body = { msg: 'ę', list: joined, n: 1, other: shared };
  expect(plainOf(body).toString()).toBe(whole);
  expect((await unzipped(body)).toString()).toBe(whole);
  const blocks = (await joined.deflated()).flatMap((part) => part.blocks);
  const ownBytes = own.plain[0] ?? Buffer.alloc(0);
  expect(blocks.some((block) => block.equals(ownBytes))).toBe(true);
});

test('two texts with the same part hold its memory once, plain and compressed', async () => {
  const [one, other] = ['1', '2'].map((text) => joinTexts([ownText(Buffer.from(text)), shared]));
  expect(one?.plain[1]).toBe(other?.plain[1]);
  const [blocks, same] = await Promise.all(
    [one, other].map(async (text) => (await text?.deflated())?.slice(1).map((part) => part.blocks)),
  );
  expect(blocks?.length).toBeGreaterThan(3);
  expect(blocks?.every((block, index) => block === same?.[index])).toBe(true);
});

test('fields that are compressed together are fields of the body, whatever name it has them under', async () => {
  const fields = { description: 'Zażółć '.repeat(1000), limits: [1, 2] };
  const together = new CompressedFields(fields);
  for (const body of [{ msg: 'ę', together, other: shared }, { other: shared, together }, { together }]) {
    const { together: _, other, ...own } = { other: undefined, ...body };
    const whole = { ...own, ...(other && { other: entries }), ...fields };
    expect(JSON.parse(plainOf(body).toString())).toEqual(whole);
    expect(JSON.parse((await unzipped(body)).toString())).toEqual(whole);
  }
  expect((await together.deflated())[0]?.blocks[0]?.length).toBeLessThan(200);
});

test('a body of nothing else, and one without it', () => {
  const list = new SharedJson([1]);
  expect(plainOf({ list }).toString()).toBe('{"list":[1]}\n');
  expect(plainOf({ a: list, b: list }).toString()).toBe('{"a":[1],"b":[1]}\n');
  expect(piecesOf({ list: [1] })).toBeNull();
});

describe('a list that one reply holds alone', () => {
  const kinds = ['none', 'together', 'apart'] as const;
  const compressionOf = ({ id }: { id: number }) => kinds[id % kinds.length] ?? 'none';

  test('is the same, plain and compressed, whatever of it is compressed', async () => {
    for (const items of [[], entries.slice(0, 1), entries]) {
      const list = await ownList(items, undefined, compressionOf);
      const whole = `${JSON.stringify({ list: items })}\n`;
      expect(plainOf({ list }).toString()).toBe(whole);
      expect((await unzipped({ list })).toString()).toBe(whole);
      expect(list.ownBytes).toBe(list.length);
    }
    const { plain } = await ownList(entries, undefined, () => 'apart');
    expect(plain.length).toBeLessThan(20);
  });

  test('is shorter where neighbours are compressed together, and an item that is apart refers to no other', async () => {
    const sizeOf = async (...items: { text: string; isApart: boolean }[]) => {
      const list = await ownList(
        items,
        ({ text }) => text,
        ({ isApart }) => (isApart ? 'apart' : 'together'),
      );
      const parts = await list.deflated();
      return parts.flatMap(({ blocks }) => blocks).reduce((sum, { length }) => sum + length, 0);
    };
    const [text, other] = [1, 2].map((number) =>
      Array.from({ length: 100 }, (_, index) => Math.imul(index + number, 0x9e3779b1).toString(36)).join(),
    ) as [string, string];
    const together = { text, isApart: false };
    const alone = await sizeOf(together);
    expect(await sizeOf(together, together)).toBeLessThan(alone * 1.2);
    const besideItself = await sizeOf(together, { text, isApart: true });
    const besideAnother = await sizeOf({ text: other, isApart: false }, { text, isApart: true });
    expect(besideItself).toBeGreaterThan(alone * 1.8);
    expect(Math.abs(besideItself - besideAnother)).toBeLessThan(alone * 0.1);
  });
});
