import { chmod, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { type ServerShare, connectSql, distribute, isDistributed, listServers, migrate } from '@parley/db';
import {
  type DistributedPostgres,
  bundleServices,
  cannotRun,
  conclude,
  makeTiedFolder,
  readArguments,
  refuseArguments,
  repoRoot,
  sayProgress as say,
  startCluster,
  startDistributed,
} from '@parley/infra';

import { readReport, runVitest } from '../suites/run-vitest.ts';
import { askAllServers } from './ask-all-servers.ts';
import { compareCosts, describeCosts } from './costs.ts';
import { describeDirect, findClosed, findStrays, writeDirectly } from './direct.ts';
import { describeFailures, failServers } from './failures.ts';
import { readFaults } from './faults.ts';
import { whyNoCitus } from './find-citus.ts';
import { describeImports, importDivided } from './imports.ts';
import { describeIsolations, isolateWhileWritten } from './isolations.ts';
import { describeJobs, runJobsWithout } from './jobs.ts';
import { describeJoining, joinServers } from './joining.ts';
import { noticesLostEnd } from './lost-end.ts';
import { describeMoves, moveUnderLoad } from './moves.ts';
import { type Organization, createOrganizations } from './organizations.ts';
import { proven } from './proven.ts';
import { describeRebalancing, rebalanceServers } from './rebalancing.ts';

/** What can be broken, and the part that has to see it. */
const breakable = {
  divided: 'tests',
  fence: 'lost-end',
  identity: 'isolations',
  rows: 'imports',
  isolation: 'failures',
  sweeps: 'jobs',
  detours: 'cost',
  guard: 'direct',
  passwords: 'joining',
} as const;

const usage = `npm run distributed -- [--postgres FOLDER] [--only PART] [--moves 20] [--json]
                 [--break ${Object.keys(breakable).join('|')}]

Starts a Postgres of three servers, a coordinator and two workers, divides the database by organization over them as
\`parley migrate --distribute\` does, and then, part by part:

  tests     runs tests there that the suite runs on one Postgres, in the short form of the day: the same nodes and the
            same statements
  lost-end  has a server come back without the last entry of an organization's log, to which nobody writes: its clients
            have to be told
  failures  kills a server, and has it hang, while clients of organizations on each server send, schedule and listen.
            Those on that server are refused with 503 and Retry-After and lose nothing, those elsewhere notice nothing
  jobs      kills a server, and has one hang, and runs the jobs of a worker: what is due in organizations elsewhere is
            done, and what is due there once it is back
  isolations  has \`parley realm isolate\` give organizations parts of the tables of their own, while their rows change
  imports   has \`parley import\` read archives into new organizations and into ones that people use, killed on the way and
            run again: they have to have what they have on one Postgres
  direct    writes to a part of the tables without asking Citus, while it is closed, opened and moved, also by hand
  moves     moves organizations from server to server by \`parley realm move\` meanwhile, and kills every fourth command
  rebalance has \`parley realm isolate\` and \`parley rebalance\` give a new server its share
  joining   joins servers that ask for passwords as the manifests of Kubernetes do, again, and with a server more, and
            divides their database with the roles that the manifests make
  cost      compares what Postgres spends on a message, a page, a registration and a mark as read with one Postgres

Prints how many organizations each server holds, and how long sends took. Exits with 1 if a test fails, if nobody is told,
if a client heard anything else than the log says, or if all organizations are on one server; with 2 where there is no Citus.

--postgres is the folder with the programs of a Postgres 15 or newer that has Citus 13 (postgres, initdb), or the variable
DISTRIBUTED_POSTGRES. Packages are at https://docs.citusdata.com/en/stable/installation/multi_node.html; where its
libraries are elsewhere, LD_LIBRARY_PATH says so. --only runs one part, or the test files whose path has that part.
--break divided leaves the database undivided, fence lets nobody begin a new epoch of a log, identity leaves rows of new
parts without what tells them apart, isolation has each message ask all servers, rows loses the reactions of archives,
guard lets Citus move what is written to without asking it, sweeps has jobs look for work on all servers at once, detours has each message that is measured ask all servers, passwords
leaves servers without the passwords of each other.`;

const { values } = readArguments(usage, {
  postgres: { type: 'string' },
  only: { type: 'string' },
  moves: { type: 'string', default: '20' },
  break: { type: 'string' },
});
if (values.break !== undefined && !(values.break in breakable)) {
  refuseArguments(usage, 'There is no such thing to break.');
}
/** The nodes of the cluster, and how many organizations each server has there. */
const nodes = { api: 2, queue: 2, worker: 1 };
const organizationsOfServer = 2;

const movesCount = Number(values.moves);
if (!Number.isInteger(movesCount) || movesCount < 1) {
  refuseArguments(usage, 'The number of moves is a whole number above 0.');
}
const parts = [
  'tests',
  'lost-end',
  'failures',
  'jobs',
  'isolations',
  'imports',
  'direct',
  'moves',
  'rebalance',
  'joining',
  'cost',
] as const;
type Part = (typeof parts)[number];
const { only } = values;
const onlyPart = parts.find((part) => part === only);
/** Without the name of a part, `--only` is a part of the paths of tests. */
const runs = (part: Part): boolean => only === undefined || part === (onlyPart ?? 'tests') || breaks(part);
const breaks = (part: Part): boolean =>
  Object.entries(breakable).some(([what, seenBy]) => what === values.break && seenBy === part);

const bin = values.postgres ?? process.env['DISTRIBUTED_POSTGRES'];
const reason = await whyNoCitus(bin);
if (reason !== null || bin === undefined) cannotRun(values.json, reason ?? '');
else await prove(bin);

/** What a part found: whether all is as it should be, in words, and as JSON has it. */
interface Found {
  holds: boolean;
  text: string;
  report: Record<string, unknown>;
}

async function prove(folderOfPrograms: string): Promise<void> {
  const folder = await makeTiedFolder('parley-distributed-');
  // Postgres refuses to run as root, and its own user has to get in.
  await chmod(folder, 0o755);
  try {
    await bundleServices({ root: repoRoot(), say });
    say('Starting a coordinator and two workers …');
    await using servers = await startDistributed({
      dir: folder,
      bin: folderOfPrograms,
      // A server that is killed has to have what it acknowledged.
      durable: true,
      shards: 8,
      say,
    });
    await divide(servers);
    const found: Found[] = [];
    if (runs('tests')) found.push(await proveTests(folder, servers));
    if (runs('lost-end')) found.push(await proveLostEnd(servers));
    if (runs('failures') || runs('moves')) found.push(...(await proveUnderLoad(folder, servers)));
    if (runs('direct')) found.push(await proveDirect(servers));
    if (runs('jobs')) found.push(await proveJobs(folder, servers));
    if (runs('isolations')) found.push(await proveIsolations(servers));
    if (runs('imports')) found.push(await proveImports(folder, servers));
    if (runs('rebalance')) found.push(await proveRebalancing(servers));
    if (runs('joining')) found.push(await proveJoining(folder, folderOfPrograms));
    if (runs('cost')) found.push(await proveCosts(folder, folderOfPrograms, servers));
    conclude(values.json, {
      holds: found.every(({ holds }) => holds),
      result: found.map(({ text }) => text).join(' '),
      report: Object.assign({}, ...found.map(({ report }) => report)) as Record<string, unknown>,
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function proveTests(folder: string, servers: DistributedPostgres): Promise<Found> {
  const tests = only === undefined || onlyPart ? proven : proven.filter((path) => path.includes(only));
  // Files share one database, so one follows the other where they would be in each other's way.
  await runVitest(folder, ['--project', 'api', '--no-file-parallelism', ...tests], {
    DISTRIBUTED_URL: servers.url,
  });
  const { success, numPassedTests, numFailedTests, numFailedTestSuites } = await readReport(folder);
  const divided = await findShares(servers);
  const failed = Math.max(numFailedTests, numFailedTestSuites);
  return {
    holds: success && numPassedTests > 0 && isDivided(divided),
    text: `${numPassedTests} tests passed, ${failed} failed. ${describe(divided)}`,
    report: { passed: numPassedTests, failed: numFailedTests, servers: divided },
  };
}

async function proveLostEnd(servers: DistributedPostgres): Promise<Found> {
  say('Losing the end of a log …');
  const isTold = await noticesLostEnd(servers, { isBroken: values.break === 'fence' });
  return {
    holds: isTold,
    text: `The lost end of a log was ${isTold ? '' : 'not '}noticed.`,
    report: { lost_end_noticed: isTold },
  };
}

async function proveDirect(servers: DistributedPostgres): Promise<Found> {
  say('Writing to parts of the tables directly …');
  const report = await writeDirectly(servers, { isBroken: values.break === 'guard', say });
  return { holds: report.anomalies.length === 0, text: describeDirect(report), report: { direct: report } };
}

async function proveJobs(folder: string, servers: DistributedPostgres): Promise<Found> {
  say('Killing a server while jobs run, and having it hang …');
  const report = await runJobsWithout(servers, { folder, isBroken: values.break === 'sweeps', say });
  return { holds: report.anomalies.length === 0, text: describeJobs(report), report: { jobs: report } };
}

async function proveCosts(folder: string, bin: string, servers: DistributedPostgres): Promise<Found> {
  say('Comparing costs with those of one Postgres …');
  const report = await compareCosts(servers, { folder, bin, isBroken: values.break === 'detours', say });
  return { holds: report.anomalies.length === 0, text: describeCosts(report), report: { costs: report } };
}

async function proveJoining(folder: string, bin: string): Promise<Found> {
  say('Joining servers …');
  const report = await joinServers({ folder, bin, isBroken: values.break === 'passwords', say });
  return { holds: report.anomalies.length === 0, text: describeJoining(report), report: { joining: report } };
}

async function proveIsolations(servers: DistributedPostgres): Promise<Found> {
  say('Giving organizations parts of the tables of their own …');
  const report = await isolateWhileWritten(servers, { isBroken: values.break === 'identity', say });
  return {
    holds: report.anomalies.length === 0,
    text: describeIsolations(report),
    report: { isolations: report },
  };
}

async function proveImports(folder: string, servers: DistributedPostgres): Promise<Found> {
  say('Importing archives …');
  const report = await importDivided(servers, { folder, isBroken: values.break === 'rows', say });
  return {
    holds: report.anomalies.length === 0,
    text: describeImports(report),
    report: { imports: report },
  };
}

async function proveRebalancing(servers: DistributedPostgres): Promise<Found> {
  say('Adding a server …');
  const report = await rebalanceServers(servers);
  return {
    holds: report.anomalies.length === 0,
    text: describeRebalancing(report),
    report: { rebalancing: report },
  };
}

/** Has a whole cluster on the servers, with organizations on each of them. */
async function proveUnderLoad(folder: string, servers: DistributedPostgres): Promise<Found[]> {
  let organizations: Organization[] = [];
  await using cluster = await startCluster({
    dir: join(folder, 'cluster'),
    ...nodes,
    databaseUrl: servers.url,
    say,
    prepare: async (backends) => {
      organizations = await createOrganizations(backends, servers, organizationsOfServer);
      if (values.break === 'isolation') await askAllServers(servers.url);
    },
  });
  const stage = { cluster, servers, organizations, say };
  const faults = () => readFaults(join(folder, 'cluster/logs'));
  const found: Found[] = [];
  if (runs('failures')) {
    say('Killing a server, and having it hang …');
    const report = await failServers(stage);
    report.anomalies.push(...(await faults()));
    found.push({
      holds: report.anomalies.length === 0,
      text: describeFailures(report),
      report: { failures: report },
    });
  }
  if (runs('moves')) {
    say(`Moving organizations ${movesCount} times …`);
    const before = await faults();
    const report = await moveUnderLoad({ ...stage, count: movesCount });
    const since = (await faults()).filter((fault) => !before.includes(fault));
    report.anomalies.push(...since, ...(await findStrays(servers)), ...(await findClosed(servers.url)));
    found.push({
      holds: report.anomalies.length === 0,
      text: describeMoves(report),
      report: { moves: report },
    });
  }
  return found;
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
  await assertApart(url);
}

/** Whoever drops a part of a table that refers to what every server has keeps all organizations there waiting. */
async function assertApart(url: string): Promise<void> {
  const sql = connectSql({ url, name: 'distributed', max: 1 });
  try {
    const keys = await sql<{ name: string }[]>`
      select c.conname as name from pg_constraint c
      join pg_dist_partition p on p.logicalrelid = c.conrelid and p.partmethod = 'h'
      join pg_dist_partition r on r.logicalrelid = c.confrelid and r.partmethod = 'n' where c.contype = 'f'`;
    if (keys.length > 0)
      throw new Error(`Divided tables refer to others: ${keys.map(({ name }) => name).join(', ')}.`);
  } finally {
    await sql.end({ timeout: 5 });
  }
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
