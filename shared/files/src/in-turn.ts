import { Readable } from 'node:stream';

import type { ByteRange, FileStore } from './store.ts';

/** Opens the objects of a store, or a range of their bytes, one after the other as if they were one object. */
export function openInTurn(
  store: Pick<FileStore, 'open'>,
  objects: readonly { key: string; bytes: number }[],
  range?: ByteRange,
): Readable {
  const bytes = objects.reduce((sum, object) => sum + object.bytes, 0);
  return Readable.from(readInTurn(store, objects, range ?? { start: 0, end: bytes - 1 }), {
    objectMode: false,
  });
}

async function* readInTurn(
  store: Pick<FileStore, 'open'>,
  objects: readonly { key: string; bytes: number }[],
  { start, end }: ByteRange,
): AsyncGenerator<Buffer> {
  let before = 0;
  for (const { key, bytes } of objects) {
    const part = { start: Math.max(0, start - before), end: Math.min(bytes, end + 1 - before) - 1 };
    before += bytes;
    if (part.start > part.end) continue;
    const stored = await store.open(key, part);
    if (!stored) throw new Error(`The object ${key} is missing.`);
    yield* stored.body as AsyncIterable<Buffer>;
  }
}
