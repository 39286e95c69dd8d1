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

/** A part of an archive as it is being written: a compressed file that holds whole files of the archive. */
export interface PartWriter {
  /** Adds a file that is in memory. */
  add(path: string, content: Buffer): Promise<void>;
  /** Adds a file of that many bytes. */
  addStream(path: string, bytes: number, content: Readable): Promise<void>;
  /** Adds rows of a table, in files of a bounded size. Answers with what it was. */
  addRows(table: string, batches: AsyncIterable<Row[]>): Promise<TableSummary>;
  noteMissingFile(): void;
  readonly bytes: number;
  /** Ends the part. With `isEnd`, it is the last of the archive. */
  finish(options?: {
    isEnd?: boolean;
    log?: LogPosition | undefined;
  }): Promise<{ bytes: number; summary: PartSummary }>;
  /** Gives the part up. */
  abort(): void;
}

/** Writes a part into a file of this machine. */
export function createPartWriter(file: string, number: number): PartWriter {
  const packed = pack();
  const trailer = new WithoutTrailer();
  const written = pipeline(
    packed as unknown as Readable,
    trailer,
    createGzip({ level: 3 }),
    createWriteStream(file),
  );
  // Whoever writes hears of a failure when the part ends, or by the entry that does not end.
  written.catch(() => undefined);
  const entries: Entry[] = [];
  const tables: Record<string, TableSummary> = {};
  const chunks: Record<string, number> = {};
  let missingFiles = 0;
  let bytes = 0;

  async function addStream(path: string, size: number, content: Readable, rows?: number): Promise<void> {
    const hash = createHash('sha256');
    await writeEntry(packed, written, path, size, content, (chunk) => hash.update(chunk));
    bytes += size;
    const sha256 = hash.digest('hex');
    entries.push({ path, bytes: size, sha256, ...(rows !== undefined && { rows }) });
  }
  const add = (path: string, content: Buffer, rows?: number) =>
    addStream(path, content.length, Readable.from([content], { objectMode: false }), rows);

  return {
    add: (path, content) => add(path, content),
    addStream: (path, size, content) => addStream(path, size, content),
    noteMissingFile() {
      missingFiles += 1;
    },
    get bytes() {
      return bytes;
    },
    async addRows(table, batches) {
      const whole: TableSummary = { rows: 0, least: null, greatest: null };
      let lines: string[] = [];
      let size = 0;
      const flush = async () => {
        if (lines.length === 0) return;
        const chunk = chunks[table] ?? 0;
        chunks[table] = chunk + 1;
        await add(dataPath(number, table, chunk), Buffer.from(`${lines.join('\n')}\n`), lines.length);
        [lines, size] = [[], 0];
      };
      for await (const batch of batches) {
        for (const { id, row } of batch) {
          lines.push(row);
          size += row.length;
          whole.rows += 1;
          if (id !== null) {
            whole.least = Math.min(whole.least ?? id, id);
            whole.greatest = Math.max(whole.greatest ?? id, id);
          }
          if (size >= chunkBytes) await flush();
        }
      }
      await flush();
      addToSummary(tables, table, whole);
      return whole;
    },
    async finish({ isEnd = false, log } = {}) {
      const checksums = Buffer.from(`${JSON.stringify({ entries })}\n`);
      const hash = createHash('sha256').update(checksums);
      const source = Readable.from([checksums], { objectMode: false });
      await writeEntry(packed, written, checksumsPath(number), checksums.length, source, () => undefined);
      trailer.isKept = isEnd;
      packed.finalize();
      await written;
      return {
        bytes: (await stat(file)).size,
        summary: { sha256: hash.digest('hex'), tables, missingFiles, ...(log && { log }) },
      };
    },
    abort() {
      packed.destroy();
    },
  };
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
