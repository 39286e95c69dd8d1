import { type Deflated, compressed, stored } from './gzip.ts';

/**
 * A value that is JSON already, as bytes, some of which other replies hold too. It may be a field of a reply's body.
 */
export class JsonText {
  readonly plain: readonly Buffer[];
  /** The same as parts of a gzip member. */
  readonly deflated: () => Promise<Deflated[]>;
  constructor(plain: readonly Buffer[], deflated: () => Promise<Deflated[]>) {
    this.plain = plain;
    this.deflated = deflated;
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

/** Of what an own entry is put into, so much at most is not compressed; smaller parts compress less well. */
const partBytes = 64 * 1024;

/** The JSON of a value that many replies hold at once: serialised and compressed once. */
export class SharedJson extends JsonText {
  readonly bytes: Buffer;
  constructor(value: unknown) {
    const bytes = Buffer.from(JSON.stringify(value));
    let parts: Promise<Deflated[]> | null = null;
    super([bytes], () => (parts ??= Promise.all(cut(bytes).map(compressed))));
    this.bytes = bytes;
  }

  /** This with `own` in the place of `other`, sharing all the rest; null if `other` is not in it. */
  with(other: string, own: string): JsonText | null {
    const { bytes } = this;
    const start = bytes.indexOf(other);
    if (start === -1) return null;
    const end = start + Buffer.byteLength(other);
    const [first, next] = [Math.floor(start / partBytes), Math.ceil(end / partBytes)];
    const entry = Buffer.from(own);
    const [before, after] = [bytes.subarray(0, start), bytes.subarray(end)];
    return new JsonText([before, entry, after], async () => {
      const parts = await this.deflated();
      const around = [before.subarray(first * partBytes), entry, bytes.subarray(end, next * partBytes)];
      return [...parts.slice(0, first), ...around.map(stored), ...parts.slice(next)];
    });
  }
}

/** Returns JSON that many replies hold at once and that was written in pieces: it is compressed once. */
export function sharedText(plain: readonly Buffer[]): JsonText {
  let parts: Promise<Deflated[]> | null = null;
  return new JsonText(plain, () => (parts ??= Promise.all(plain.flatMap(cut).map(compressed))));
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
    pieces.push(Buffer.from(`${before}${JSON.stringify(name)}:`), text);
    before = ',';
  }
  return [...pieces, Buffer.from('}\n')];
}
