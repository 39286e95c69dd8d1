import { chmod, rm } from 'node:fs/promises';

import { type ServerShare, connectSql, distribute, isDistributed, listServers, migrate } from '@parley/db';
import {
  type DistributedPostgres,
  cannotRun,
  conclude,
  makeTiedFolder,
  readArguments,
  refuseArguments,
  sayProgress as say,
  startDistributed,
} from '@parley/infra';

import { readReport, runVitest } from '../suites/run-vitest.ts';
import { whyNoCitus } from './find-citus.ts';
import { noticesLostEnd } from './lost-end.ts';
import { proven } from './proven.ts';

const breakable = ['divided', 'fence'] as const;

const usage = `npm run distributed -- [--postgres FOLDER] [--only PART] [--break ${breakable.join('|')}] [--json]

Starts a Postgres of three servers, a coordinator and two workers, divides the database by organization over them as
\`parley migrate --distribute\` does, and runs tests there that the suite runs on one Postgres, in the short form of the
day: the same nodes and the same statements. Then a server comes back without the last entry of an organization's log,
and nobody writes to it: its clients have to be told. Prints how many organizations each server holds. Exits with 1 if a
test fails, if nobody is told, or if an organization is on no server or all are on one; with 2 where there is no Citus.

--postgres is the folder with the programs of a Postgres 15 or newer that has Citus 13 (postgres, initdb), or the variable
DISTRIBUTED_POSTGRES. Packages are at https://docs.citusdata.com/en/stable/installation/multi_node.html; where its
libraries are elsewhere, LD_LIBRARY_PATH says so. --only runs the test files whose path has that part. --break divided
leaves the database undivided, --break fence lets nobody begin a new epoch of a log.`;

const { values } = readArguments(usage, {
  postgres: { type: 'string' },
  only: { type: 'string' },
  break: { type: 'string' },
});
if (values.break !== undefined && !(breakable as readonly string[]).includes(values.break)) {
  refuseArguments(usage, 'There is no such thing to break.');
}
const bin = values.postgres ?? process.env['DISTRIBUTED_POSTGRES'];
const reason = await whyNoCitus(bin);
if (reason !== null || bin === undefined) cannotRun(values.json, reason ?? '');
else await prove(bin);

async function prove(folderOfPrograms: string): Promise<void> {
  const folder = await makeTiedFolder('parley-distributed-');
  // Postgres refuses to run as root, and its own user has to get in.
  await chmod(folder, 0o755);
  try {
    say('Starting a coordinator and two workers …');
    await using servers = await startDistributed({
      dir: folder,
      bin: folderOfPrograms,
      durable: false,
      shards: 8,
      say,
    });
    await divide(servers);
    const tests =
      values.only === undefined ? proven : proven.filter((path) => path.includes(values.only ?? ''));
    // Files share one database, so one follows the other where they would be in each other's way.
    await runVitest(folder, ['--project', 'api', '--no-file-parallelism', ...tests], {
      DISTRIBUTED_URL: servers.url,
    });
    const { success, numPassedTests, numFailedTests, numFailedTestSuites } = await readReport(folder);
    const divided = await findShares(servers);
    say('Losing the end of a log …');
    const isTold =
      divided.length > 0 ? await noticesLostEnd(servers, { isBroken: values.break === 'fence' }) : null;
    conclude(values.json, {
      holds: success && numPassedTests > 0 && isDivided(divided) && isTold === true,
      result: `${numPassedTests} tests passed, ${Math.max(numFailedTests, numFailedTestSuites)} failed. ${describe(divided)} ${isTold === true ? 'The lost end of a log was noticed.' : 'The lost end of a log was not noticed.'}`,
      report: { passed: numPassedTests, failed: numFailedTests, servers: divided, lost_end_noticed: isTold },
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function divide({ url }: DistributedPostgres): Promise<void> {
  const sql = connectSql({ url, name: 'distributed', max: 1 });
  // Nodes of tests have the rights of nodes, and no more. Servers talk to each other as the role that asks.
  await sql.unsafe('create role parley_node login');
  await sql.end({ timeout: 5 });
  await migrate(url, { finishes: true });
  if (values.break === 'divided') return;
  say('Dividing the database …');
  await distribute(url);
}

/** Returns what each server holds; nothing where the database is on one. */
async function findShares({ url }: DistributedPostgres): Promise<ServerShare[]> {
  const sql = connectSql({ url, name: 'distributed', max: 1 });
  try {
    return (await isDistributed(sql)) ? await listServers(url) : [];
  } finally {
    await sql.end({ timeout: 5 });
  }
}

function isDivided(servers: readonly ServerShare[]): boolean {
  return servers.length > 1 && servers.every(({ organizations }) => organizations > 0);
}

function describe(servers: readonly ServerShare[]): string {
  return isDivided(servers)
    ? `The servers hold ${servers.map(({ organizations }) => organizations).join(' and ')} organizations.`
    : 'The organizations are not divided over the servers.';
}
