import { onDemand } from 'bson';

import type { Json } from '../json.ts';

/** How deep documents lie in each other. MongoDB takes a hundred. */
const depthMax = 120;

/** Types of elements, as BSON numbers them. */
const types = {
  double: 1,
  string: 2,
  object: 3,
  array: 4,
  binary: 5,
  objectId: 7,
  boolean: 8,
  date: 9,
  null: 10,
  symbol: 14,
  int: 16,
  long: 18,
} as const;

/** What a document is refused for. */
export class NoDocument extends Error {
  readonly code: 'no_bson' | 'not_text' | 'too_deep';

  constructor(code: NoDocument['code']) {
    super(code);
    this.code = code;
  }
}

/**
 * Reads a document of BSON. Of its own elements only some are read if their names are given; a message holds its text several
 * times, so that this is half of the work. Elements of types that no collection of Rocket.Chat has are left out.
 *
 * @throws NoDocument
 */
export function readElements(bytes: Buffer, start: number, wanted?: ReadonlySet<string>, depth = 0): Json {
  if (depth > depthMax) throw new NoDocument('too_deep');
  const read: Record<string, unknown> = {};
  for (const [type, nameOffset, nameLength, offset, length] of elementsOf(bytes, start)) {
    const name = textAt(bytes, nameOffset, nameOffset + nameLength);
    if (name === '__proto__' || (wanted && !wanted.has(name))) continue;
    read[name] = valueAt(bytes, { type, offset, length }, depth);
  }
  return read;
}

function elementsOf(bytes: Buffer, start: number) {
  try {
    return onDemand.parseToElements(bytes, start);
  } catch {
    throw new NoDocument('no_bson');
  }
}

function valueAt(
  bytes: Buffer,
  { type, offset, length }: { type: number; offset: number; length: number },
  depth: number,
): unknown {
  switch (type) {
    case types.string:
    case types.symbol:
      return textAt(bytes, offset + 4, offset + length - 1);
    case types.object:
      return readElements(bytes, offset, undefined, depth + 1);
    case types.array:
      return Object.values(readElements(bytes, offset, undefined, depth + 1));
    case types.date:
      return new Date(Number(bytes.readBigInt64LE(offset)));
    case types.boolean:
      return bytes[offset] === 1;
    case types.double:
      return bytes.readDoubleLE(offset);
    case types.int:
      return bytes.readInt32LE(offset);
    case types.long:
      return Number(bytes.readBigInt64LE(offset));
    case types.objectId:
      return bytes.toString('hex', offset, offset + length);
    case types.binary:
      return bytes.subarray(offset + 5, offset + length);
    case types.null:
      return null;
    default:
      return undefined;
  }
}

/** Returns a text. Bytes that are no text are noticed by the character that stands for them. */
function textAt(bytes: Buffer, from: number, to: number): string {
  const text = bytes.toString('utf8', from, to);
  if (!text.includes('\uFFFD')) return text;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes.subarray(from, to));
  } catch {
    throw new NoDocument('not_text');
  }
}
