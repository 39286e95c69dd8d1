import { createReadStream } from 'node:fs';
import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

import type { Row } from '../write/part.ts';

/** Characters of rows that are in memory before they are written. */
const charactersMax = 4 * 1024 * 1024;
const rowsPerRead = 500;

/** Rows of a table in the order in which they come. Most of them lie in a file of a folder. */
export class RowSpool {
  readonly #file: string;
  #lines: string[] = [];
  #characters = 0;

  constructor(folder: string, name: string) {
    this.#file = join(folder, `rows-${name}`);
  }

  /** Adds a row. Whoever adds more than some waits for the answer. */
  add(row: object, id: number | null): Promise<void> | undefined {
    const line = `${id ?? ''}\t${JSON.stringify(row)}\n`;
    this.#lines.push(line);
    this.#characters += line.length;
    return this.#characters > charactersMax ? this.#flush() : undefined;
  }

  async *read(): AsyncGenerator<Row[]> {
    await this.#flush();
    let rows: Row[] = [];
    for await (const line of createInterface({ input: createReadStream(this.#file), crlfDelay: Infinity })) {
      const tab = line.indexOf('\t');
      rows.push({ id: tab === 0 ? null : Number(line.slice(0, tab)), row: line.slice(tab + 1) });
      if (rows.length < rowsPerRead) continue;
      yield rows;
      rows = [];
    }
    if (rows.length > 0) yield rows;
  }

  async #flush(): Promise<void> {
    const lines = this.#lines.join('');
    [this.#lines, this.#characters] = [[], 0];
    await appendFile(this.#file, lines, { mode: 0o600 });
  }
}
