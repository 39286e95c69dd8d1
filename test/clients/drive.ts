import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

import type { Json } from '../support/http.ts';

/** What the steps of a driver came to. */
export interface Driven {
  said: Record<string, Json>;
  errors: Record<string, string>;
}

/** A line that a driver wrote; null for what a package wrote there. */
function readStep(line: string): { step: string; value?: Json; error?: string } | null {
  try {
    const read: Json = JSON.parse(line);
    return typeof read?.step === 'string' ? read : null;
  } catch {
    return null;
  }
}

const minutesMax = 10;

/** Runs a driver to its end. Calls back when the client listens, so that there is something to hear. */
export async function drive(
  [program, ...args]: readonly [string, ...string[]],
  config: object,
  { env, onListening }: { env: NodeJS.ProcessEnv; onListening: () => Promise<void> },
): Promise<Driven> {
  const child = spawn(program, args, {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1', ...env },
    timeout: minutesMax * 60_000,
  });
  let trouble = '';
  child.stderr.on('data', (chunk: Buffer) => (trouble = (trouble + chunk.toString()).slice(-2000)));
  const closed = once(child, 'close') as Promise<[number | null]>;
  child.stdin.end(JSON.stringify(config));
  const driven: Driven = { said: {}, errors: {} };
  for await (const line of createInterface({ input: child.stdout })) {
    const read = readStep(line);
    if (read === null) continue;
    if (read.step === 'listening') await onListening();
    else if (read.error !== undefined) driven.errors[read.step] = read.error;
    else driven.said[read.step] = read.value ?? null;
  }
  const [code] = await closed;
  if (code !== 0) driven.errors.driver = `ended with ${code}: ${trouble}`;
  return driven;
}
