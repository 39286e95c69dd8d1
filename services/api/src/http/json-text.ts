import { takeBreak } from '@parley/kit';

import { type Deflated, type Range, compressed, compressedAround, compressedOnce, stored } from './gzip.ts';

/**
 * A value that is JSON already, as bytes, some of which other replies hold too. It may be a field of a reply's body.
 */
export class JsonText {
  readonly plain: readonly Buffer[];
  /** The same as parts of a gzip member. */
  readonly deflated: () => Promise<Deflated[]>;
  /** How much of it no other reply holds. */
  readonly ownBytes: number;
  constructor(plain: readonly Buffer[], deflated: () => Promise<Deflated[]>, ownBytes = 0) {
    this.plain = plain;
    this.deflated = deflated;
    this.ownBytes = ownBytes;
  }

  /** In bytes, as it is sent plain. */
  get length(): number {
    return this.plain.reduce((sum, { length }) => sum + length, 0);
  }

  /** The value itself, for whoever needs more than its JSON. */
  toJSON(): unknown {
    return JSON.parse(Buffer.concat(this.plain).toString());
  }
}

/** So much is compressed at once. */
const partBytes = 64 * 1024;

/** The JSON of a value that many replies hold at once: serialised and compressed once. */
export class SharedJson extends JsonText {
  readonly bytes: Buffer;
  constructor(value: unknown) {
    const bytes = Buffer.from(JSON.stringify(value));
    let parts: Promise<Deflated[]> | null = null;
    super([bytes], () => (parts ??= compressAll(cut(bytes))));
    this.bytes = bytes;
  }
}

/** Returns JSON that many replies hold at once and that was written in pieces: it is compressed once. */
export const sharedText = (plain: readonly Buffer[]): JsonText =>
  sharedBy(plain, () => compressAll(plain.flatMap(cut)));

/** Returns the same of one piece, but for ranges of its bytes, ascending: the compressed form tells nothing of them by its length. */
export const sharedAround = (bytes: Buffer, apart: readonly Range[]): JsonText =>
  sharedBy([bytes], () =>
    apart.length === 0
      ? compressAll(cut(bytes))
      : mapInTurns(cut(bytes), (part, index) =>
          compressedAround(part, within(apart, index * partBytes, part)),
        ),
  );

function sharedBy(plain: readonly Buffer[], compress: () => Promise<Deflated[]>): JsonText {
  let parts: Promise<Deflated[]> | null = null;
  return new JsonText(plain, () => (parts ??= compress()));
}

/** Returns the ranges of a part that begins at `start`. */
const within = (ranges: readonly Range[], start: number, { length }: Buffer): Range[] =>
  ranges
    .map(([from, to]): Range => [Math.max(from - start, 0), Math.min(to - start, length)])
    .filter(([from, to]) => from < to);

/** Returns what one reply holds alone. It is not compressed: no length tells of secrets in it. */
export const ownText = (bytes: Buffer): JsonText =>
  new JsonText([bytes], async () => [stored(bytes)], bytes.length);

/**
 * Returns what one reply holds alone, compressed. Somebody who sees lengths on the network and writes a part of a text
 * could learn what the rest of it says. So it is for texts that only the caller writes, or that all writers may read.
 */
export const compressedText = (bytes: Buffer): JsonText =>
  new JsonText([bytes], () => compressAll(cut(bytes), compressedOnce), bytes.length);

/**
 * Several fields of a body that one reply holds alone, compressed together under the condition of `compressedText`. Which name
 * the body has it under does not matter.
 */
export class CompressedFields extends JsonText {
  constructor(fields: object) {
    const bytes = Buffer.from(JSON.stringify(fields).slice(1, -1));
    super([bytes], () => compressAll(cut(bytes), compressedOnce), bytes.length);
  }
}

/** So much of a list is put into one piece: many small ones are many writes. */
const pieceLength = 64 * 1024;

/** Whether an item is compressed: by itself, together with its neighbours that are too, or not at all. */
type Compression = 'none' | 'apart' | 'together';

/** Writes a list that one reply holds alone, of any length: others have a turn between its items. */
export async function ownList<Item>(
  items: Iterable<Item> | AsyncIterable<Item>,
  present: (item: Item) => unknown = (item) => item,
  compressionOf: (item: Item) => Compression = () => 'none',
): Promise<JsonText> {
  const list = new ListWriter();
  for await (const item of items) {
    list.add(JSON.stringify(present(item)), compressionOf(item));
    await takeBreak();
  }
  return list.end();
}

interface Part {
  bytes: Buffer;
  compression: Compression;
}

class ListWriter {
  private readonly parts: Part[] = [];
  private text = '[';
  private compression: Compression = 'none';
  private comma = '';

  add(item: string, compression: Compression): void {
    const isOfLast = compression === this.compression && compression !== 'apart';
    if (!isOfLast || this.text.length >= pieceLength) this.cut();
    this.compression = compression;
    this.text += this.comma + item;
    this.comma = ',';
  }

  end(): JsonText {
    this.cut();
    const { parts } = this;
    parts.push({ bytes: Buffer.from(']'), compression: 'none' });
    const deflate = ({ bytes, compression }: Part) =>
      compression === 'none' ? stored(bytes) : compressedOnce(bytes);
    const length = parts.reduce((sum, { bytes }) => sum + bytes.length, 0);
    return new JsonText(
      inPieces(parts.map(({ bytes }) => bytes)),
      () => mapInTurns(parts, async (part) => deflate(part)),
      length,
    );
  }

  private cut(): void {
    this.parts.push({ bytes: Buffer.from(this.text), compression: this.compression });
    this.text = '';
  }
}

/** Returns the same bytes as fewer buffers. */
function inPieces(buffers: readonly Buffer[]): Buffer[] {
  const groups: Buffer[][] = [];
  let length = pieceLength;
  for (const buffer of buffers) {
    if (length >= pieceLength) {
      groups.push([]);
      length = 0;
    }
    groups.at(-1)?.push(buffer);
    length += buffer.length;
  }
  return groups.map((group) => Buffer.concat(group));
}

/** So many are compressed at the same time: each takes a quarter of a MiB meanwhile. */
const compressedAtOnce = 8;

/** Returns texts one after the other, as one. */
export function joinTexts(texts: readonly JsonText[]): JsonText {
  return new JsonText(
    texts.flatMap(({ plain }) => plain),
    async () => (await mapInTurns(texts, (text) => text.deflated())).flat(),
    texts.reduce((sum, { ownBytes }) => sum + ownBytes, 0),
  );
}

const compressAll = (parts: readonly Buffer[], by = compressed): Promise<Deflated[]> =>
  mapInTurns(parts, (part) => by(part));

async function mapInTurns<Item, Result>(
  items: readonly Item[],
  map: (item: Item, index: number) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (let first = 0; first < items.length; first += compressedAtOnce) {
    const next = items.slice(first, first + compressedAtOnce);
    results.push(...(await Promise.all(next.map((item, index) => map(item, first + index)))));
    await takeBreak();
  }
  return results;
}

const cut = (bytes: Buffer): Buffer[] =>
  Array.from({ length: Math.ceil(bytes.length / partBytes) }, (_, index) =>
    bytes.subarray(index * partBytes, (index + 1) * partBytes),
  );

/**
 * Returns a body as pieces of its JSON: own text, as `toJson` writes it, and the fields that are JSON already. Null if
 * none is.
 */
export function piecesOf(
  body: object,
  toJson: (value: object) => string = JSON.stringify,
): (Buffer | JsonText)[] | null {
  const fields = Object.entries(body);
  const texts = fields.filter((field): field is [string, JsonText] => field[1] instanceof JsonText);
  if (texts.length === 0) return null;
  const others = toJson(Object.fromEntries(fields.filter(([, value]) => !(value instanceof JsonText))));
  const pieces: (Buffer | JsonText)[] = [];
  let before = others === '{}' ? '{' : `${others.slice(0, -1)},`;
  for (const [name, text] of texts) {
    const start = text instanceof CompressedFields ? before : `${before}${JSON.stringify(name)}:`;
    pieces.push(Buffer.from(start), text);
    before = ',';
  }
  return [...pieces, Buffer.from('}\n')];
}
