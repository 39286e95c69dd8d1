import type { CarriedRun } from './carried-run.ts';

/** How much is kept of what is carried for a realm while its tail is read. What is beyond is read from Postgres. */
const bytesMax = 4 * 1024 * 1024;
/** What a run takes beside its text. */
const runBytes = 200;

/** What the early runs of all realms take of memory, and may take. */
export interface EarlyMemory {
  bytes: number;
  readonly bytesMax: number;
}

/** What is carried for a realm while its tail is read, as far as there is room. */
export class EarlyRuns {
  private readonly memory: EarlyMemory;
  private runs: CarriedRun[] = [];
  private bytes = 0;
  /** Not all of it had room. What comes behind waits for a hole to be filled, and is read then, too. */
  private isCut = false;

  constructor(memory: EarlyMemory) {
    this.memory = memory;
  }

  keep(run: CarriedRun): void {
    const bytes = run.signed.length + runBytes;
    this.isCut ||= this.bytes + bytes > bytesMax || this.memory.bytes + bytes > this.memory.bytesMax;
    if (this.isCut) return;
    this.bytes += bytes;
    this.memory.bytes += bytes;
    this.runs.push(run);
  }

  /** Returns them, and keeps none. */
  take(): CarriedRun[] {
    this.memory.bytes -= this.bytes;
    this.bytes = 0;
    return this.runs.splice(0);
  }
}
