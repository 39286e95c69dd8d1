import { promisify } from 'node:util';
import { constants, crc32, deflateRaw, deflateRawSync } from 'node:zlib';

import { takeBreak } from '@parley/kit';

/** A part of a gzip member: blocks of DEFLATE that end at a byte and refer to nothing before them. */
export interface Deflated {
  blocks: readonly Buffer[];
  /** Of the plain bytes. */
  crc: number;
  length: number;
  /** What moves a CRC past so many bytes. */
  shift: number;
}

const deflate = promisify(deflateRaw);
const head = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);
const emptyLastBlock = Buffer.from([3, 0]);
const storedMax = 65_535;

const partOf = (blocks: readonly Buffer[], bytes: Buffer): Deflated => ({
  blocks,
  crc: crc32(bytes),
  length: bytes.length,
  shift: shiftOf(bytes.length),
});

export async function compressed(bytes: Buffer): Promise<Deflated> {
  const blocks = await deflate(bytes, { finishFlush: constants.Z_SYNC_FLUSH });
  // What zlib returns is a view of much more memory.
  return partOf([Buffer.from(blocks)], bytes);
}

/** What one reply holds alone is compressed once for nobody else: in a third of the time, and a tenth longer. */
const once = { finishFlush: constants.Z_SYNC_FLUSH, level: 3 };
/** A short text is compressed before another thread would have begun, in a window of its size. */
const ofShortText = { ...once, windowBits: 12, memLevel: 5 };
const windowOfShortText = 2 ** ofShortText.windowBits;

/** Returns what one reply holds alone. */
export async function compressedOnce(bytes: Buffer): Promise<Deflated> {
  const isShort = bytes.length <= windowOfShortText;
  const blocks = isShort ? deflateRawSync(bytes, ofShortText) : await deflate(bytes, once);
  return partOf([Buffer.from(blocks)], bytes);
}

/** Bytes from one index up to another, which is not among them. */
export type Range = readonly [from: number, to: number];

/** Stands in no text. */
const noText = 0xff;

/**
 * Returns bytes that are compressed but for some ranges, ascending: those are as they are, and nothing is compressed by what
 * stands in them, so that the length tells nothing of it. Others have a turn meanwhile.
 */
export async function compressedAround(bytes: Buffer, apart: readonly Range[]): Promise<Deflated> {
  const comparable = Buffer.from(bytes);
  for (const [from, to] of apart) comparable.fill(noText, from, to);
  const blocks: Buffer[] = [];
  let at = 0;
  for (const [from, to] of [...apart, [bytes.length, bytes.length] as const]) {
    // What comes next may refer to what came before, but for what stands apart.
    const dictionary = comparable.subarray(Math.max(0, at - windowOfShortText), at);
    if (from > at) blocks.push(deflateRawSync(bytes.subarray(at, from), { ...ofShortText, dictionary }));
    blocks.push(...stored(bytes.subarray(from, to)).blocks);
    at = to;
    await takeBreak();
  }
  return partOf([Buffer.concat(blocks)], bytes);
}

/** Returns the bytes as they are: a reply's length tells nothing of what is in them. */
export function stored(bytes: Buffer): Deflated {
  const blocks: Buffer[] = [];
  for (let first = 0; first < bytes.length; first += storedMax) {
    const block = bytes.subarray(first, first + storedMax);
    const lengths = Buffer.alloc(5);
    lengths.writeUInt16LE(block.length, 1);
    lengths.writeUInt16LE(block.length ^ 0xffff, 3);
    blocks.push(lengths, block);
  }
  return partOf(blocks, bytes);
}

/** Returns the parts as one gzip member (RFC 1952), without a copy of any. */
export function gzipOf(parts: readonly Deflated[]): Buffer[] {
  const trailer = Buffer.alloc(8);
  let [crc, length] = [0, 0];
  for (const part of parts) {
    crc = (multiply(part.shift, crc) ^ part.crc) >>> 0;
    length = (length + part.length) % 2 ** 32;
  }
  trailer.writeUInt32LE(crc, 0);
  trailer.writeUInt32LE(length, 4);
  return [head, ...parts.flatMap(({ blocks }) => blocks), emptyLastBlock, trailer];
}

// CRC-32 is the remainder of a division of polynomials over GF(2), whose bits stand in reverse order. A CRC of what is
// followed by n bytes is the CRC times x^8n.
const polynomial = 0xedb88320;
const one = 0x80000000;
const xToThe8th = 0x00800000;

function multiply(a: number, b: number): number {
  let [product, factor] = [0, b];
  for (let bit = one; bit !== 0; bit >>>= 1) {
    if (a & bit) product ^= factor;
    factor = factor & 1 ? (factor >>> 1) ^ polynomial : factor >>> 1;
  }
  return product >>> 0;
}

function shiftOf(bytes: number): number {
  let [shift, power] = [one, xToThe8th];
  for (let rest = bytes; rest > 0; rest = Math.floor(rest / 2)) {
    if (rest % 2 === 1) shift = multiply(power, shift);
    power = multiply(power, power);
  }
  return shift;
}
