import type { Sql } from '@parley/db';
import type { Say } from '@parley/infra';
import { pause } from '@parley/kit';

import { compareFiles, readDigests } from '../drill/compare-files.ts';
import { type Run, runImport } from './command.ts';
import { timeCopy } from './copy-time.ts';
import type { Deployment, Deployments } from './deployments.ts';
import { type Digests, differing, digestsOf } from './digests.ts';
import type { Made } from './products.ts';

export interface InterruptOptions {
  deployments: Deployments;
  name: string;
  made: Made;
  /** How often the import is killed. */
  kills: number;
  /** Returns a number from 0 to 1. */
  random: () => number;
  /** Whether a row is lost on purpose. */
  isBroken: boolean;
  say: Say;
}

/** What became of the imports of an archive. */
export interface Interrupted {
  archive: string;
  messages: number;
  /** What an import takes that is not interrupted: all of it, and from the moment at which it was converted. */
  seconds: number;
  importSeconds: number;
  perSecond: number;
  memoryMebibytes: number;
  /** How many times as long as `copy` of the same rows. */
  timesCopy: number;
  kills: number;
  /** In which phases it was killed, and how often. */
  phases: Readonly<Record<string, number>>;
  /** What differs from the import that was not interrupted: tables, and files. */
  differing: readonly string[];
  /** How often an organization was there that was not complete. */
  halfDone: number;
}

/** What a deployment has after an import. */
interface Imported {
  digests: Digests;
  files: Awaited<ReturnType<typeof readDigests>>;
}

/** How long a server needs to notice that a process was killed, at most. */
const noticedMs = 60_000;
/** Runs of which none ends say that imports do not go on. */
const runsMax = 200;

/** Imports an archive once as a whole, and then again and again while it is killed at random moments, and compares. */
export async function interruptImports(options: InterruptOptions): Promise<Interrupted> {
  const { deployments, made, name, say } = options;
  const whole = await deployments.with(async (deployment) => {
    const run = await runImport({ ...archiveOf(made), env: deployment.env });
    assertImported(run);
    const copySeconds = await timeCopy(deployment.sql);
    return { run, copySeconds, imported: await readImported(deployment) };
  });
  const { run, copySeconds } = whole;
  say(`${name}: imported in ${run.seconds.toFixed(1)} s.`);
  const counted = new Counted();
  for (let runs = 0; counted.kills < options.kills; runs += 1) {
    if (runs >= runsMax) throw new Error(`${name}: the import ends before it is killed.`);
    await deployments.with((deployment) => interrupt(options, deployment, whole, counted));
    say(`${name}: killed ${counted.kills} times.`);
  }
  return {
    archive: name,
    messages: made.kept,
    seconds: run.seconds,
    importSeconds: run.importSeconds,
    perSecond: Math.round(made.kept / run.importSeconds),
    memoryMebibytes: run.memoryMebibytes,
    timesCopy: run.importSeconds / copySeconds,
    kills: counted.kills,
    phases: Object.fromEntries(counted.phases),
    differing: [...counted.differing],
    halfDone: counted.halfDone,
  };
}

/** What is counted over several deployments. */
class Counted {
  kills = 0;
  halfDone = 0;
  readonly phases = new Map<string, number>();
  readonly differing = new Set<string>();
}

/** Kills imports into one deployment until one of them ends, or enough were killed; then ends it, and compares. */
async function interrupt(
  { made, kills, random, isBroken }: InterruptOptions,
  deployment: Deployment,
  whole: { run: Run; imported: Imported },
  counted: Counted,
): Promise<void> {
  const { env, sql } = deployment;
  for (;;) {
    const isLast = counted.kills >= kills;
    const { startSeconds, seconds } = whole.run;
    const killAfter = isLast ? undefined : startSeconds + random() * (seconds - startSeconds);
    const run = await runImport({ ...archiveOf(made), env, killAfter });
    await withoutConnections(sql);
    if (run.isEnded) {
      assertImported(run);
      break;
    }
    counted.kills += 1;
    const phase = phaseOf(run.stderr);
    counted.phases.set(phase, (counted.phases.get(phase) ?? 0) + 1);
    const [state] = await sql<{ visible: number; begun: number }[]>`
      select (select count(*)::int from realms where name = 'acme' or is_active) as visible,
        (select count(*)::int from realm_imports) as begun`;
    const { visible, begun } = state ?? { visible: 0, begun: 0 };
    // It was killed between its last commit and its end.
    if (visible > 0 && begun === 0) break;
    counted.halfDone += visible;
  }
  if (isBroken) await sql`delete from reactions where id = (select min(id) from reactions)`;
  const imported = await readImported(deployment);
  for (const table of differing(whole.imported.digests, imported.digests)) counted.differing.add(table);
  const files = compareFiles(whole.imported.files, imported.files, 0);
  for (const path of [...files.damaged, ...files.lost.map((lost) => lost.path)]) counted.differing.add(path);
}

const archiveOf = ({ file, files }: Made) => ({ archive: file, files });

/** Returns the last phase that a run has said it is in. */
function phaseOf(stderr: string): string {
  const said = ['Reading', 'Converting', 'Verifying', 'Importing'].filter((phase) => stderr.includes(phase));
  return said.at(-1) ?? 'starting';
}

function assertImported({ code, stderr }: Run): void {
  if (code !== 0) throw new Error(`The import ended with ${code}:\n${stderr}`);
}

/** Waits until Postgres has noticed that a process was killed. Who starts it again takes longer. */
async function withoutConnections(sql: Sql): Promise<void> {
  for (const startedMs = performance.now(); performance.now() - startedMs < noticedMs;) {
    const [others] = await sql<{ count: number }[]>`
      select count(*)::int as count from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`;
    if (others?.count === 0) return;
    await pause(20);
  }
  throw new Error('Postgres still works for a process that was killed.');
}

async function readImported({ sql, uploads }: Deployment): Promise<Imported> {
  return { digests: await digestsOf(sql), files: await readDigests(uploads) };
}
