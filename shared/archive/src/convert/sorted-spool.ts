import { createReadStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { refused } from '../read/refused.ts';

/** A record and the number by which it is sorted. Those of one number keep their order. */
interface Sorted {
  at: number;
  line: string;
}

/** Characters of records that are in memory before they are written as a sorted run. */
const runCharacters = 8 * 1024 * 1024;
/** Files that are read at the same time. The pieces in which they are read have this size together. */
const runsMax = 2000;
const piecesBytes = 4 * 1024 * 1024;
const pieceBytes = { min: 4 * 1024, max: 64 * 1024 } as const;

/** Sorts more records than fit into memory: they lie in sorted files of a folder until they are read. */
export class SortedSpool {
  readonly #folder: string;
  readonly #runs: string[] = [];
  #records: Sorted[] = [];
  #characters = 0;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Adds a record: a line without line breaks. Whoever adds more than some waits for the answer. */
  add(at: number, line: string): Promise<void> | undefined {
    this.#records.push({ at, line });
    this.#characters += line.length;
    return this.#characters > runCharacters ? this.#writeRun() : undefined;
  }

  /** Yields all records in their order, some at a time. */
  async *read(): AsyncGenerator<Sorted[]> {
    const last = this.#takeSorted();
    const size = Math.floor(piecesBytes / Math.max(1, this.#runs.length));
    const bytes = Math.min(pieceBytes.max, Math.max(pieceBytes.min, size));
    const runs = [...this.#runs.map((file) => new Run(readRun(file, bytes))), new Run(readList(last))];
    for (const run of runs) await run.fill();
    let batch: Sorted[] = [];
    const heap = new RunHeap(runs.filter((run) => run.first !== undefined));
    for (let run = heap.least; run !== undefined; run = heap.least) {
      const { first } = run;
      if (first) batch.push(first);
      if (run.drop()) await run.fill();
      heap.settle();
      if (batch.length < 500) continue;
      yield batch;
      batch = [];
    }
    if (batch.length > 0) yield batch;
  }

  async #writeRun(): Promise<void> {
    if (this.#runs.length >= runsMax) throw refused('too_large');
    const file = join(this.#folder, `run-${this.#runs.length}`);
    this.#runs.push(file);
    const lines = this.#takeSorted().map(({ at, line }) => `${at}\t${line}\n`);
    await writeFile(file, lines.join(''));
  }

  #takeSorted(): Sorted[] {
    const records = this.#records.sort((a, b) => a.at - b.at);
    [this.#records, this.#characters] = [[], 0];
    return records;
  }
}

/** One sorted run, of which some records are in memory. */
class Run {
  readonly #source: AsyncGenerator<Sorted[]>;
  #records: Sorted[] = [];
  #next = 0;

  constructor(source: AsyncGenerator<Sorted[]>) {
    this.#source = source;
  }

  get first(): Sorted | undefined {
    return this.#records[this.#next];
  }

  /** Drops the first record. Answers whether more have to be read. */
  drop(): boolean {
    this.#next += 1;
    return this.#next >= this.#records.length;
  }

  async fill(): Promise<void> {
    const { value, done } = await this.#source.next();
    this.#records = done === true ? [] : value;
    this.#next = 0;
  }
}

/** Runs by their first records; of equal ones, the earlier run comes first. */
class RunHeap {
  readonly #runs: { run: Run; order: number }[];

  constructor(runs: readonly Run[]) {
    this.#runs = runs.map((run, order) => ({ run, order }));
    this.#runs.sort((a, b) => difference(a, b));
  }

  get least(): Run | undefined {
    return this.#runs[0]?.run;
  }

  /** Puts the least run, which has changed, into its place. */
  settle(): void {
    const [changed] = this.#runs;
    if (!changed) return;
    if (changed.run.first === undefined) {
      this.#runs.shift();
      return;
    }
    let place = 0;
    for (; place + 1 < this.#runs.length; place += 1) {
      const next = this.#runs[place + 1];
      if (!next || difference(changed, next) < 0) break;
      this.#runs[place] = next;
    }
    this.#runs[place] = changed;
  }
}

const difference = (a: { run: Run; order: number }, b: { run: Run; order: number }) =>
  (a.run.first?.at ?? Infinity) - (b.run.first?.at ?? Infinity) || a.order - b.order;

async function* readList(records: Sorted[]): AsyncGenerator<Sorted[]> {
  if (records.length > 0) yield records;
}

async function* readRun(file: string, bytes: number): AsyncGenerator<Sorted[]> {
  let rest = '';
  for await (const piece of createReadStream(file, { encoding: 'utf8', highWaterMark: bytes })) {
    const lines = `${rest}${String(piece)}`.split('\n');
    rest = lines.pop() ?? '';
    const records = lines.map((line) => {
      const tab = line.indexOf('\t');
      return { at: Number(line.slice(0, tab)), line: line.slice(tab + 1) };
    });
    if (records.length > 0) yield records;
  }
}
