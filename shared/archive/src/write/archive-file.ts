import { createReadStream, createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import {
  type Manifest,
  type PartSummary,
  type TableSummary,
  addToSummary,
  endPath,
  formatName,
  formatVersion,
  manifestPath,
  partNumbers,
} from '../manifest.ts';
import { PartWriter } from './part.ts';

/** What a manifest says beside what follows from the parts. */
export type About = Pick<Manifest, 'requested_at' | 'finished_at' | 'realm' | 'log'>;

/** Writes the archive of everything of an organization, part by part, in a folder of this machine. */
export class ArchiveFileWriter {
  readonly #folder: string;
  readonly #summaries = new Map<number, PartSummary>();
  #next: number = partNumbers.first;
  #part: PartWriter | undefined;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Writes a part: the one with the tables, or the next of the others. */
  async addPart(
    write: (part: PartWriter) => Promise<void>,
    { isTables = false, isEnd = false } = {},
  ): Promise<void> {
    const number = isTables ? partNumbers.tables : this.#next;
    if (!isTables) this.#next += 1;
    const part = new PartWriter(this.#fileOf(number), number);
    this.#part = part;
    await write(part);
    this.#summaries.set(number, (await part.finish({ isEnd })).summary);
    this.#part = undefined;
  }

  /** Gives up the part that is being written. */
  abort(): void {
    this.#part?.abort();
  }

  /** Ends the archive, and puts its parts together in a file. */
  async finish(file: string, about: About): Promise<void> {
    await this.addPart((part) => part.add(endPath, Buffer.from('{}\n')), { isEnd: true });
    const numbers = [...this.#summaries.keys()].sort((a, b) => a - b);
    const manifest = this.#manifest(numbers, about);
    const part = new PartWriter(this.#fileOf(partNumbers.manifest), partNumbers.manifest);
    await part.add(manifestPath, Buffer.from(`${JSON.stringify(manifest, null, 1)}\n`));
    await part.finish();
    await pipeline(
      Readable.from(this.#readParts([partNumbers.manifest, ...numbers]), { objectMode: false }),
      createWriteStream(file, { mode: 0o600 }),
    );
  }

  #manifest(numbers: readonly number[], about: About): Manifest {
    const tables: Record<string, TableSummary> = {};
    const parts = numbers.map((number) => {
      const summary = this.#summaries.get(number);
      if (!summary) throw new Error(`There is no part ${number}.`);
      for (const [name, table] of Object.entries(summary.tables)) addToSummary(tables, name, table);
      return { number, sha256: summary.sha256 };
    });
    return {
      format: formatName,
      version: formatVersion,
      type: 'everything',
      ...about,
      tables,
      missing_files: 0,
      parts,
    };
  }

  async *#readParts(numbers: readonly number[]): AsyncGenerator<Buffer> {
    for (const number of numbers) {
      const file = this.#fileOf(number);
      for await (const chunk of createReadStream(file)) yield chunk as Buffer;
      await rm(file);
    }
  }

  #fileOf(part: number): string {
    return join(this.#folder, `part-${part}`);
  }
}
