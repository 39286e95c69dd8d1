import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';

import type { ArchivePlace } from '@parley/protocol';

import { refused } from '../read/refused.ts';
import { type Json, isObject } from './json.ts';

/** The longest row that is read. The longest message with its history has a tenth of it. */
const rowBytesMax = 16 * 1024 * 1024;
const depthMax = 100;
const pieceBytes = 1024 * 1024;
/** Files of this size are parsed as a whole, which takes a third of the time. */
const wholeBytesMax = 16 * 1024 * 1024;

const byte = {
  quote: 0x22,
  comma: 0x2c,
  open: 0x5b,
  backslash: 0x5c,
  close: 0x5d,
  openObject: 0x7b,
  closeObject: 0x7d,
  lineFeed: 0x0a,
} as const;

/** Where the rows of a table are in a file. */
interface Span {
  from: number;
  to: number;
  /** The line in which it begins, from 1. */
  line: number;
  rows: number;
}

/** Rows of a table that stand together. */
export interface RowBatch {
  rows: readonly Json[];
  /** Returns the line and the file of a row. */
  readonly where: (index: number) => ArchivePlace;
}

/** The tables of a JSON file: lists of objects in an object, or a list alone, which is the table with the empty name. */
export interface JsonTables {
  readonly names: readonly string[];
  readonly countOf: (table: string) => number;
  /**
   * Yields the rows of a table, some at a time; none of a table that is not there.
   *
   * @throws ArchiveRefused for a row that is too long, is no text, no JSON or no object, naming the file and the line
   */
  readonly rows: (table: string) => AsyncGenerator<RowBatch>;
}

/**
 * Opens a file of tables, which may be larger than memory. `path` is what it is called in the archive.
 *
 * @throws ArchiveRefused for a file that ends too early, or has something else than tables
 */
export async function openTables(file: string, path: string): Promise<JsonTables> {
  if ((await stat(file)).size > wholeBytesMax) return await LargeTables.open(file, path);
  const content = await readFile(file);
  const parsed = parseWhole(content);
  // What cannot be parsed is read piece by piece, so that the line is known.
  return parsed ? smallTables(content, path, parsed) : await LargeTables.open(file, path);
}

function parseWhole(content: Buffer): ReadonlyMap<string, readonly Json[]> | undefined {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(content));
  } catch {
    return undefined;
  }
  const entries = Object.entries(
    Array.isArray(value) ? { '': value as unknown } : isObject(value) ? value : {},
  );
  const tables = entries.flatMap(([name, rows]) => (Array.isArray(rows) ? [[name, rows] as const] : []));
  const isOfObjects = tables.every(([, rows]) => rows.every(isObject));
  return isOfObjects && (Array.isArray(value) || isObject(value)) ? new Map(tables) : undefined;
}

/** Returns the tables of a file that was parsed as a whole. Its bytes are read again to find a line. */
const smallTables = (
  content: Buffer,
  path: string,
  parsed: ReadonlyMap<string, readonly Json[]>,
): JsonTables => ({
  names: [...parsed.keys()],
  countOf: (table) => parsed.get(table)?.length ?? 0,
  async *rows(table) {
    const where = (index: number) => {
      const finder = new TableFinder(path);
      finder.read(content);
      const { from = 0, to = 0, line = 1 }: Partial<Span> = finder.end().get(table) ?? {};
      return { path, line: lineOf(content.subarray(from, to), index, line) };
    };
    const rows = parsed.get(table) ?? [];
    if (rows.length > 0) yield { rows, where };
  },
});

/** The tables of a large file. Its structure is told by its brackets and quotes, and a piece of it at a time is parsed. */
class LargeTables implements JsonTables {
  readonly #file: string;
  readonly #path: string;
  readonly #tables: ReadonlyMap<string, Span>;

  private constructor(file: string, path: string, tables: ReadonlyMap<string, Span>) {
    this.#file = file;
    this.#path = path;
    this.#tables = tables;
  }

  static async open(file: string, path: string): Promise<LargeTables> {
    const finder = new TableFinder(path);
    for await (const piece of createReadStream(file, { highWaterMark: pieceBytes }))
      finder.read(piece as Buffer);
    return new LargeTables(file, path, finder.end());
  }

  get names(): readonly string[] {
    return [...this.#tables.keys()];
  }

  countOf(table: string): number {
    return this.#tables.get(table)?.rows ?? 0;
  }

  async *rows(table: string): AsyncGenerator<RowBatch> {
    const span = this.#tables.get(table);
    if (!span || span.to <= span.from) return;
    const reader = new RowReader(this.#path, span.line);
    const range = { start: span.from, end: span.to - 1, highWaterMark: pieceBytes };
    for await (const piece of createReadStream(this.#file, range)) {
      const batch = reader.read(piece as Buffer);
      if (batch) yield batch;
    }
    const last = reader.end();
    if (last) yield last;
  }
}

/** What is open at a place in JSON, told by brackets and quotes alone. */
class Structure {
  depth = 0;
  /** Lines that have ended. */
  lines = 0;
  /** Commas at the depth that was asked for, and the last of them in the piece. */
  commas = 0;
  lastComma = -1;
  #isInString = false;
  #isEscaped = false;

  get isWhole(): boolean {
    return this.depth === 0 && !this.#isInString;
  }

  get isInString(): boolean {
    return this.#isInString;
  }

  /**
   * Reads a piece from a place on until what is open at `floor` is closed. Returns the place of that bracket, or the end. All
   * bytes of an archive pass here, so what changes are local variables.
   */
  readFrom(piece: Buffer, start: number, floor: number, end = piece.length): number {
    let { depth, lines, commas } = this;
    let lastComma = -1;
    let [isInString, isEscaped] = [this.#isInString, this.#isEscaped];
    let at = start;
    for (; at < end; at += 1) {
      const one = piece[at] ?? 0;
      if (isInString) {
        if (isEscaped) isEscaped = false;
        else if (one === byte.backslash) isEscaped = true;
        else if (one === byte.quote) isInString = false;
      } else if (one === byte.quote) isInString = true;
      else if (one === byte.lineFeed) lines += 1;
      else if (one === byte.comma) {
        if (depth === floor) {
          commas += 1;
          lastComma = at;
        }
      } else if (one === byte.open || one === byte.openObject) depth += 1;
      else if (one === byte.close || one === byte.closeObject) {
        depth -= 1;
        if (depth < floor) break;
      }
    }
    Object.assign(this, { depth, lines, commas, lastComma });
    [this.#isInString, this.#isEscaped] = [isInString, isEscaped];
    return at;
  }
}

/** The most bytes around the tables of a file: their names, and values that are no lists. */
const aroundMax = 1024 * 1024;

/** Finds the tables of a file: the lists in its object, or the list that it is. */
class TableFinder {
  readonly #path: string;
  readonly #structure = new Structure();
  readonly #spans: Span[] = [];
  /** The file without what is in its tables. */
  readonly #around: number[] = [];
  #aroundBytes = 0;
  #open: Span | undefined;
  #floor = 0;
  #at = 0;

  constructor(path: string) {
    this.#path = path;
  }

  read(piece: Buffer): void {
    for (let at = 0; at < piece.length;) {
      at = this.#open ? this.#readRows(piece, at, this.#open) : this.#readAround(piece, at);
    }
    this.#at += piece.length;
  }

  end(): ReadonlyMap<string, Span> {
    const isWhole = this.#open === undefined && this.#structure.isWhole;
    if (!isWhole || this.#around.length === 0) {
      throw refused('ends_early', { path: this.#path, line: this.#line });
    }
    const names = this.#names();
    if (names.length !== this.#spans.length) throw this.#refusal();
    return new Map(this.#spans.map((span, index) => [names[index] ?? '', span]));
  }

  get #line(): number {
    return this.#structure.lines + 1;
  }

  #names(): string[] {
    let around: unknown;
    try {
      around = JSON.parse(Buffer.from(this.#around).toString());
    } catch {
      throw this.#refusal();
    }
    if (Array.isArray(around)) return [''];
    return Object.entries(isObject(around) ? around : {}).flatMap(([name, value]) =>
      Array.isArray(value) ? [name] : [],
    );
  }

  #readAround(piece: Buffer, at: number): number {
    const structure = this.#structure;
    const one = piece[at] ?? 0;
    const isList = one === byte.open && !structure.isInString;
    structure.readFrom(piece, at, 0, at + 1);
    this.#aroundBytes += 1;
    if (this.#aroundBytes > aroundMax || structure.depth < 0 || structure.depth > depthMax) {
      throw this.#refusal();
    }
    if (one > 0x20 || structure.isInString) this.#around.push(one);
    if (isList && structure.depth <= 2) {
      structure.commas = 0;
      this.#floor = structure.depth;
      this.#open = { from: this.#at + at + 1, to: 0, line: this.#line, rows: 0 };
      this.#spans.push(this.#open);
    }
    return at + 1;
  }

  #readRows(piece: Buffer, start: number, open: Span): number {
    const structure = this.#structure;
    const at = structure.readFrom(piece, start, this.#floor);
    if (at >= piece.length) return at;
    open.to = this.#at + at;
    open.rows = structure.commas === 0 && open.to - open.from < emptyMax ? 0 : structure.commas + 1;
    this.#around.push(byte.close);
    this.#open = undefined;
    return at + 1;
  }

  #refusal = () => refused('no_json', { path: this.#path, line: this.#line });
}

/** The most bytes between the brackets of a list without rows. */
const emptyMax = 16;

/** Reads rows from the pieces of a list. */
class RowReader {
  readonly #path: string;
  readonly #structure = new Structure();
  #line: number;
  #rest: Buffer = Buffer.alloc(0);

  constructor(path: string, line: number) {
    this.#path = path;
    this.#line = line;
  }

  /** Reads a piece. Answers with the rows that end in it. */
  read(piece: Buffer): RowBatch | undefined {
    const before = this.#rest.length;
    this.#structure.readFrom(piece, 0, 0);
    const end = this.#structure.lastComma;
    const all = before === 0 ? piece : Buffer.concat([this.#rest, piece]);
    if (end < 0) {
      this.#rest = all;
      if (all.length > rowBytesMax) throw this.#tooLong(all);
      return undefined;
    }
    const rows = all.subarray(0, before + end);
    this.#rest = all.subarray(before + end + 1);
    return this.#parse(rows);
  }

  #tooLong(bytes: Buffer): Error {
    const line = this.#line + linesBefore(bytes);
    return refused('too_long', { path: this.#path, line, mebibytes: rowBytesMax / 2 ** 20 });
  }

  end(): RowBatch | undefined {
    return this.#rest.toString('latin1').trim() === '' ? undefined : this.#parse(this.#rest);
  }

  #parse(bytes: Buffer): RowBatch {
    const line = this.#line;
    this.#line += linesIn(bytes);
    const where = (index: number) => ({ path: this.#path, line: lineOf(bytes, index, line) });
    const values = parseRows(bytes, where);
    const wrong = values.findIndex((value) => !isObject(value));
    if (wrong >= 0) throw refused('no_object', where(wrong));
    // Safe: each of them was looked at.
    return { rows: values as Json[], where };
  }
}

function linesIn(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(byte.lineFeed); at >= 0; at = bytes.indexOf(byte.lineFeed, at + 1)) count += 1;
  return count;
}

function parseRows(bytes: Buffer, where: (index: number) => ArchivePlace): readonly unknown[] {
  try {
    return JSON.parse(`[${new TextDecoder('utf-8', { fatal: true }).decode(bytes)}]`) as unknown[];
  } catch {
    throw refusalOf(bytes, where);
  }
}

/** Returns why rows cannot be read, with the line of the first that cannot. */
function refusalOf(bytes: Buffer, where: (index: number) => ArchivePlace): Error {
  for (const [index, { from, to }] of elementsOf(bytes).entries()) {
    const one = bytes.subarray(from, to);
    let text: string;
    try {
      text = new TextDecoder('utf-8', { fatal: true }).decode(one);
    } catch {
      return refused('not_text', where(index));
    }
    try {
      JSON.parse(text);
    } catch {
      return refused('no_json', where(index));
    }
  }
  return refused('no_json', where(0));
}

/** Returns where the elements of a list are. */
function elementsOf(bytes: Buffer): { from: number; to: number }[] {
  const structure = new Structure();
  const elements: { from: number; to: number }[] = [];
  let from = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    structure.readFrom(bytes, at, 0, at + 1);
    if (structure.lastComma !== at) continue;
    elements.push({ from, to: at });
    from = at + 1;
  }
  return [...elements, { from, to: bytes.length }];
}

/** Returns the line in which an element begins. */
function lineOf(bytes: Buffer, index: number, line: number): number {
  const { from = 0, to = 0 } = elementsOf(bytes)[index] ?? {};
  return line + linesIn(bytes.subarray(0, from)) + linesBefore(bytes.subarray(from, to));
}

/** Returns how many lines end before something begins. */
function linesBefore(bytes: Buffer): number {
  const start = bytes.findIndex((one) => one > 0x20);
  return linesIn(bytes.subarray(0, Math.max(start, 0)));
}
