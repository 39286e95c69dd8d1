import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';

import { type Pack, pack } from 'tar-stream';

import {
  type Entry,
  type LogPosition,
  type PartSummary,
  type TableSummary,
  addToSummary,
  checksumsPath,
  dataPath,
} from '../manifest.ts';

/** The zeros at the end of a tar file. Only the archive has them, not each part. */
const trailerBytes = 1024;
/** Rows are written in files of about this size, which are in memory as a whole. */
const chunkBytes = 4 * 1024 * 1024;

export interface Row {
  id: number | null;
  row: string;
}

/**
 * A part of an archive as it is being written into a file of this machine: a compressed file that holds whole files of
 * the archive.
 */
export class PartWriter {
  readonly #file: string;
  readonly #number: number;
  readonly #packed = pack();
  readonly #trailer = new WithoutTrailer();
  readonly #written: Promise<void>;
  readonly #entries: Entry[] = [];
  readonly #tables: Record<string, TableSummary> = {};
  readonly #chunks: Record<string, number> = {};
  #missingFiles = 0;
  #bytes = 0;

  constructor(file: string, number: number) {
    this.#file = file;
    this.#number = number;
    this.#written = pipeline(
      this.#packed as unknown as Readable,
      this.#trailer,
      createGzip({ level: 3 }),
      createWriteStream(file),
    );
    // Whoever writes hears of a failure when the part ends, or by the entry that does not end.
    this.#written.catch(() => undefined);
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Adds a file that is in memory. */
  async add(path: string, content: Buffer, rows?: number): Promise<void> {
    await this.addStream(path, content.length, Readable.from([content], { objectMode: false }), rows);
  }

  /** Adds a file of that many bytes. */
  async addStream(path: string, bytes: number, content: Readable, rows?: number): Promise<void> {
    const hash = createHash('sha256');
    await this.#writeEntry(path, bytes, content, (chunk) => hash.update(chunk));
    this.#bytes += bytes;
    this.#entries.push({ path, bytes, sha256: hash.digest('hex'), ...(rows !== undefined && { rows }) });
  }

  /** Adds rows of a table, in files of a bounded size. Answers with what it was. */
  async addRows(table: string, batches: AsyncIterable<Row[]>): Promise<TableSummary> {
    const whole: TableSummary = { rows: 0, least: null, greatest: null };
    let lines: string[] = [];
    let size = 0;
    for await (const batch of batches) {
      for (const { id, row } of batch) {
        lines.push(row);
        size += row.length;
        whole.rows += 1;
        if (id !== null) {
          whole.least = Math.min(whole.least ?? id, id);
          whole.greatest = Math.max(whole.greatest ?? id, id);
        }
        if (size < chunkBytes) continue;
        await this.#addChunk(table, lines);
        [lines, size] = [[], 0];
      }
    }
    await this.#addChunk(table, lines);
    addToSummary(this.#tables, table, whole);
    return whole;
  }

  noteMissingFile(): void {
    this.#missingFiles += 1;
  }

  /** Ends the part. With `isEnd`, it is the last of the archive. */
  async finish({ isEnd = false, log }: { isEnd?: boolean; log?: LogPosition | undefined } = {}): Promise<{
    bytes: number;
    summary: PartSummary;
  }> {
    const checksums = Buffer.from(`${JSON.stringify({ entries: this.#entries })}\n`);
    const sha256 = createHash('sha256').update(checksums).digest('hex');
    const source = Readable.from([checksums], { objectMode: false });
    await this.#writeEntry(checksumsPath(this.#number), checksums.length, source, () => undefined);
    this.#trailer.isKept = isEnd;
    this.#packed.finalize();
    await this.#written;
    return {
      bytes: (await stat(this.#file)).size,
      summary: { sha256, tables: this.#tables, missingFiles: this.#missingFiles, ...(log && { log }) },
    };
  }

  /** Gives the part up. */
  abort(): void {
    this.#packed.destroy();
  }

  async #addChunk(table: string, lines: readonly string[]): Promise<void> {
    if (lines.length === 0) return;
    const chunk = this.#chunks[table] ?? 0;
    this.#chunks[table] = chunk + 1;
    await this.add(dataPath(this.#number, table, chunk), Buffer.from(`${lines.join('\n')}\n`), lines.length);
  }

  #writeEntry(path: string, bytes: number, content: Readable, look: (chunk: Buffer) => void): Promise<void> {
    return writeEntry(this.#packed, this.#written, path, bytes, content, look);
  }
}

async function writeEntry(
  packed: Pack,
  written: Promise<void>,
  name: string,
  size: number,
  content: Readable,
  look: (chunk: Buffer) => void,
): Promise<void> {
  const entry = packed.entry({ name, size, mode: 0o600 });
  const watched = new Transform({
    transform(chunk: Buffer, _, done) {
      look(chunk);
      done(null, chunk);
    },
  });
  await Promise.race([pipeline(content, watched, entry), written]);
}

/** Passes everything on but the zeros at the end, unless they are kept. */
class WithoutTrailer extends Transform {
  isKept = false;
  #held: Buffer = Buffer.alloc(0);

  override _transform(chunk: Buffer, _: BufferEncoding, done: () => void): void {
    const all = this.#held.length === 0 ? chunk : Buffer.concat([this.#held, chunk]);
    const passed = Math.max(0, all.length - trailerBytes);
    if (passed > 0) this.push(all.subarray(0, passed));
    this.#held = all.subarray(passed);
    done();
  }

  override _flush(done: () => void): void {
    if (this.isKept) this.push(this.#held);
    done();
  }
}
