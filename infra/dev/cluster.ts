import { parseArgs } from 'node:util';

import { command } from './nodes/control.ts';
import { parseCount } from './nodes/counts.ts';
import { run } from './run.ts';

const usage = `npm run cluster -- [--api 2] [--queue 3] [--worker 2] [--replicas 0]

Runs that many processes of each kind behind one address, until Ctrl-C, and replicas of Postgres that answer what they
would answer as it does. While it runs:

npm run cluster -- scale queue=5 worker=1   starts or ends nodes until there are so many
npm run cluster -- roll                     replaces every node by a new process, one after the other

  PORT          port of the address (9991)
  PARLEY_DIR    where data, logs and cluster.json go (.parley)
  PARLEY_PROXY  nginx or node (nginx, where it can be had)
  DATABASE_URL  a Postgres to use instead of one of our own
  REDIS_URL     a Redis to use instead of one of our own
`;

function readArguments() {
  const count = (preset: string) => ({ type: 'string', default: preset }) as const;
  const options = { api: count('2'), queue: count('3'), worker: count('2'), replicas: count('0') };
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { ...options, help: { type: 'boolean', short: 'h' } },
  });
  if (values.help) {
    process.stdout.write(usage);
    process.exit(0);
  }
  const counts = {
    api: parseCount('api', values.api),
    queue: parseCount('queue', values.queue),
    worker: parseCount('worker', values.worker),
    replicas: parseCount('replicas', values.replicas),
  };
  return { counts, words: positionals };
}

let given: ReturnType<typeof readArguments>;
try {
  given = readArguments();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n\n${usage}`);
  process.exit(2);
}
const { counts, words } = given;
if (words.length === 0) await run(counts);
await command(process.env['PARLEY_DIR'] || '.parley', words).then(
  (done) => process.stdout.write(`${done}\n`),
  (error: Error) => {
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  },
);
