import { parseArgs } from 'node:util';

import { run } from './run.ts';

const usage = `npm run cluster -- [--api 2] [--queue 3] [--worker 2]

Runs that many processes of each kind behind one address, until Ctrl-C.

  PORT          port of the address (9991)
  PARLEY_DIR    where data, logs and cluster.json go (.parley)
  PARLEY_PROXY  nginx or node (nginx, where it can be had)
  DATABASE_URL  a Postgres to use instead of one of our own
  REDIS_URL     a Redis to use instead of one of our own
`;

function readCounts() {
  const count = (preset: string) => ({ type: 'string', default: preset }) as const;
  const options = { api: count('2'), queue: count('3'), worker: count('2') };
  const { values } = parseArgs({ options: { ...options, help: { type: 'boolean', short: 'h' } } });
  if (values.help) {
    process.stdout.write(usage);
    process.exit(0);
  }
  return {
    api: readCount('api', values.api, 1),
    queue: readCount('queue', values.queue, 1),
    worker: readCount('worker', values.worker, 0),
  };
}

function readCount(name: string, text: string, least: number): number {
  const count = Number(text);
  if (!Number.isInteger(count) || count < least || count > 64) {
    throw new Error(`--${name} ${text}: a number from ${least} to 64 is wanted.`);
  }
  return count;
}

let counts;
try {
  counts = readCounts();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n\n${usage}`);
  process.exit(2);
}
await run(counts);
