import { createReadStream, createWriteStream } from 'node:fs';
import { appendFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** Characters of rows that are in memory before they are written. */
const charactersMax = 256 * 1024;

/** Rows of the tables of one JSON file. They lie in a file for each table until all of them are known. */
export class TableFiles {
  readonly #folder: string;
  readonly #tables = new Map<string, { lines: string[]; characters: number; count: number }>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Declares tables, which are written even without rows. */
  declare(...tables: readonly string[]): void {
    for (const table of tables) {
      if (!this.#tables.has(table)) this.#tables.set(table, { lines: [], characters: 0, count: 0 });
    }
  }

  countOf(table: string): number {
    return this.#tables.get(table)?.count ?? 0;
  }

  /** Adds a row. Whoever adds more than some waits for the answer. */
  add(table: string, row: object): Promise<void> | undefined {
    this.declare(table);
    const pending = this.#tables.get(table);
    if (!pending) return undefined;
    const text = JSON.stringify(row);
    pending.lines.push(text);
    pending.characters += text.length;
    pending.count += 1;
    return pending.characters > charactersMax ? this.#flush(table) : undefined;
  }

  /** Writes the tables as an object of lists, with what else it has. Answers with its size. */
  async write(file: string, more: Readonly<Record<string, string>> = {}): Promise<number> {
    for (const table of this.#tables.keys()) await this.#flush(table);
    await pipeline(
      Readable.from(this.#content(more), { objectMode: false }),
      createWriteStream(file, { mode: 0o600 }),
    );
    return (await stat(file)).size;
  }

  async *#content(more: Readonly<Record<string, string>>): AsyncGenerator<string | Buffer> {
    let before = '{\n';
    for (const [table, { count }] of this.#tables) {
      yield `${before}"${table}": [\n`;
      if (count > 0) for await (const piece of createReadStream(this.#fileOf(table))) yield piece as Buffer;
      yield '\n]';
      before = ',\n';
    }
    for (const [name, value] of Object.entries(more)) {
      yield `${before}${JSON.stringify(name)}: ${JSON.stringify(value)}`;
      before = ',\n';
    }
    yield before === '{\n' ? '{}\n' : '\n}\n';
  }

  async #flush(table: string): Promise<void> {
    const pending = this.#tables.get(table);
    if (!pending || pending.lines.length === 0) return;
    const isFirst = pending.count === pending.lines.length;
    const text = `${isFirst ? '' : ',\n'}${pending.lines.join(',\n')}`;
    [pending.lines, pending.characters] = [[], 0];
    await appendFile(this.#fileOf(table), text, { mode: 0o600 });
  }

  #fileOf(table: string): string {
    return join(this.#folder, `table-${table}`);
  }
}
