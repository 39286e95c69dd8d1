import { chmod, rm } from 'node:fs/promises';
import { parseArgs } from 'node:util';

import { makeTiedFolder, startPostgres, startRedis } from '@parley/infra';

import { type Area, areas } from './areas.ts';
import { type Mutant, readMutants } from './mutant.ts';
import { runArea } from './run-area.ts';

const usage = `npm run mutants [-- AREA… [--file PATH…]]

Changes the code of an area in one place at a time, runs the tests of the area, and lists the changes that none of
them notices. With --file, only these files of the area are changed. Exits with 1 if fewer than 90 % are noticed, or
if one that is not is missing in test/mutants/survivors.ts.

Areas:
${areas.map(({ name, mutate }) => `  ${name.padEnd(15)} ${mutate.join(' ')}`).join('\n')}`;

const noticedMin = 0.9;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    file: { type: 'string', multiple: true, default: [] },
    help: { type: 'boolean', default: false },
  },
});
const chosen = positionals.length > 0 ? areas.filter(({ name }) => positionals.includes(name)) : areas;
const areAllKnown = positionals.every((name) => areas.some((area) => area.name === name));
if (values.help || !areAllKnown) {
  process.stdout.write(`${usage}\n`);
  process.exit(values.help ? 0 : 2);
}

await using servers = chosen.some(({ needsServers }) => needsServers) ? await startServers() : null;
Object.assign(process.env, servers?.urls);
const reports: string[] = [];
for (const area of chosen) {
  const mutants = readMutants(await runArea(area, values.file));
  reports.push(describe(area, mutants));
  const isEnough = noticed(mutants).length >= mutants.length * noticedMin;
  if (!isEnough || missing(mutants).length > 0) process.exitCode = 1;
}
process.stdout.write(`\n${reports.join('\n')}`);

function describe({ name }: Area, mutants: Mutant[]): string {
  const files = [...new Set(mutants.map(({ file }) => file))];
  const rows = files.map((file) =>
    row(
      file,
      mutants.filter((mutant) => mutant.file === file),
    ),
  );
  const unknown = missing(mutants).map(
    ({ file, line, code, becomes }) => `  ${file}:${line}\n    ${code}\n    ${becomes}\n`,
  );
  const survivorLines = unknown.length > 0 ? `\nNoticed by no test:\n${unknown.join('')}` : '';
  return `${[row(name, mutants), ...rows.map((line) => `  ${line}`)].join('\n')}\n${survivorLines}`;
}

function row(name: string, mutants: Mutant[]): string {
  const [count, all] = [noticed(mutants).length, mutants.length];
  const accepted = mutants.filter(({ isNoticed, reason }) => !isNoticed && reason !== null).length;
  const score = `${((100 * count) / all).toFixed(1)} %`;
  return `${name.padEnd(60)} ${score.padStart(8)}  ${count} of ${all}, ${accepted} of the others with a reason`;
}

function noticed(mutants: Mutant[]): Mutant[] {
  return mutants.filter(({ isNoticed }) => isNoticed);
}

function missing(mutants: Mutant[]): Mutant[] {
  return mutants.filter(({ isNoticed, reason }) => !isNoticed && reason === null);
}

/** Postgres and Redis for the whole run: a runner that hangs is killed, and would leave its own behind. */
async function startServers() {
  const dir = await makeTiedFolder('parley-mutants-');
  // Postgres refuses to run as root, and its own user has to get in.
  await chmod(dir, 0o755);
  const say = () => undefined;
  const postgres = await startPostgres({ dir, url: undefined, durable: false, say });
  const redis = await startRedis({ dir, url: undefined, say });
  return {
    urls: { DATABASE_URL: postgres.url, REDIS_URL: redis.url },
    async [Symbol.asyncDispose]() {
      await redis.stop();
      await postgres.stop();
      await rm(dir, { recursive: true, force: true });
    },
  };
}
