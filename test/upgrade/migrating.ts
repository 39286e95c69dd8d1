import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

import { type Sql, connectSql } from '@parley/db';
import { pause } from '@parley/kit';

const program = fileURLToPath(new URL('migrate-main.js', import.meta.url));
const startsMax = 100;

export interface Migrated {
  /** How often the process was killed. */
  kills: number;
  /** How often a step found its locks taken, and was tried again. */
  retries: number;
  seconds: number;
}

interface Migration {
  databaseUrl: string;
  folder: string;
  kills: number;
  /** The longest that a process lives before it is killed. */
  killAfterMsMax: number;
  say: (line: string) => void;
}

/** Migrates by a process that is killed at random moments, and begun again, until it has ended. */
export async function migrateKilled(migration: Migration): Promise<Migrated> {
  const { databaseUrl, folder, kills, killAfterMsMax, say } = migration;
  const beganMs = Date.now();
  let killed = 0;
  let retries = 0;
  for (let starts = 1; starts <= startsMax; starts += 1) {
    const child = spawn(process.execPath, [program, databaseUrl, folder], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const ended = once(child, 'exit') as Promise<[number | null]>;
    const lines = createInterface({ input: child.stdout });
    lines.on('line', (line) => {
      if (line.includes('found its locks taken')) retries += 1;
      else say(`  ${line}`);
    });
    const stopKilling = new AbortController();
    const killing =
      killed < kills ? killLater(() => child.kill('SIGKILL'), killAfterMsMax, stopKilling.signal) : null;
    const [code] = await ended;
    stopKilling.abort();
    if (await killing) {
      killed += 1;
      say(`  killed, ${killed} of ${kills}`);
    }
    if (code === 0) return { kills: killed, retries, seconds: (Date.now() - beganMs) / 1000 };
    if (code !== null) throw new Error('The migration failed.');
  }
  throw new Error('The migration did not end.');
}

/** Kills after a random time. Returns whether it came to that. */
async function killLater(kill: () => boolean, msMax: number, signal: AbortSignal): Promise<boolean> {
  await pause(500 + Math.random() * msMax, signal);
  return !signal.aborted && kill();
}

/** Holds a lock on the messages, as a long transaction does, again and again until it is disposed of. */
export function holdLocks(databaseUrl: string): AsyncDisposable & { held(): number } {
  const stop = new AbortController();
  const sql = connectSql({ url: databaseUrl, name: 'holder', max: 1 });
  let held = 0;
  const holding = hold(sql, stop.signal, () => (held += 1));
  return {
    held: () => held,
    async [Symbol.asyncDispose]() {
      stop.abort();
      await holding;
      await sql.end({ timeout: 5 });
    },
  };
}

async function hold(sql: Sql, signal: AbortSignal, onHeld: () => void): Promise<void> {
  while (!signal.aborted) {
    await sql.begin(async (tx) => {
      await tx.unsafe(`
        set local lock_timeout = 0; set local statement_timeout = 0;
        lock table messages in row exclusive mode`);
      onHeld();
      await pause(3000, signal);
    });
    await pause(500, signal);
  }
}
