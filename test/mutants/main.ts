import { chmod, rm } from 'node:fs/promises';

import {
  conclude,
  makeTiedFolder,
  readArguments,
  refuseArguments,
  startPostgres,
  startRedis,
} from '@parley/infra';

import { type Area, areas } from './areas.ts';
import { type Mutant, readMutants } from './mutant.ts';
import { runArea } from './run-area.ts';
import { staleSurvivors } from './survivors.ts';

const usage = `npm run mutants -- [AREA …] [--file PATH …] [--json]

Changes the code of an area in one place at a time, runs the tests of the area, and lists the changes that none of
them notices. With --file, only these files of the area are changed. Exits with 1 if fewer than 90 % are noticed, or
if one that is not is missing in test/mutants/survivors.ts, or if that file names code that is gone.

Areas:
${areas.map(({ name, mutate }) => `  ${name.padEnd(15)} ${mutate.join(' ')}`).join('\n')}`;

const noticedMin = 0.9;

const { values, positionals } = readArguments(
  usage,
  { file: { type: 'string', multiple: true, default: [] } },
  true,
);
const chosen = positionals.length > 0 ? areas.filter(({ name }) => positionals.includes(name)) : areas;
if (chosen.length < positionals.length) refuseArguments(usage, 'There is no such area.');

await using servers = chosen.some(({ needsServers }) => needsServers) ? await startServers() : null;
Object.assign(process.env, servers?.urls);
const found: { area: Area; mutants: Mutant[] }[] = [];
for (const area of chosen) found.push({ area, mutants: readMutants(await runArea(area, values.file)) });
const every = found.flatMap(({ mutants }) => mutants);
const stale = staleSurvivors([...new Set(every.map(({ file }) => file))]);
const isEnough = found.every(({ mutants }) => noticed(mutants).length >= mutants.length * noticedMin);
conclude(values.json, {
  holds: isEnough && every.length > 0 && missing(every).length === 0 && stale.length === 0,
  result: `${noticed(every).length} of ${every.length} changes to ${chosen.map(({ name }) => name).join(', ')} are noticed by a test; ${missing(every).length} of the others have no reason${stale.length > 0 ? `; ${stale.length} reasons are for code that is gone` : ''}.`,
  report: { mutants: every.filter(({ isNoticed }) => !isNoticed), stale },
  text: [
    ...found.map(({ area, mutants }) => describe(area, mutants)),
    ...stale.map((line) => `  a reason for code that is gone: ${line}`),
  ].join('\n'),
});

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
