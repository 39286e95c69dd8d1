import { rm } from 'node:fs/promises';
import { join } from 'node:path';

import type { Cluster } from '@parley/infra';
import { pause } from '@parley/kit';

import { openSql } from '../upgrade/fill-archive.ts';
import type { BackupTool, Kept } from './backup-tool.ts';
import { Clients, type ClientsOptions } from './clients.ts';
import { type FilesCompared, compareFiles, readDigests } from './compare-files.ts';
import { compareRows } from './compare-rows.ts';
import { type DeploymentOptions, withDeployment } from './deployment.ts';
import {
  type Restored,
  alterSystem,
  beginArchiving,
  destroy,
  lookAtBoth,
  restore,
  restoreData,
  takeAway,
  wreckIn,
} from './disaster.ts';
import { type Mistake, countBack, makeMistake } from './mistake.ts';
import { bringBack } from './organization.ts';
import type { DrillReport } from './report.ts';
import { pathOf } from './uploader.ts';
import { verifyFiles } from './verify-files.ts';

/** What can be broken on purpose, to see that the drill sees it. */
export const breakable = ['archive', 'files', 'rows', 'fence', 'target'] as const;

interface DrillOptions extends DeploymentOptions, ClientsOptions {
  queues: number;
  /** How long clients send and listen before the disaster. */
  seconds: number;
  /** Whether something is deleted by mistake, and the database goes back to the moment before, instead of a disaster. */
  isMistaken: boolean;
  createTool: (kept: Kept) => Promise<BackupTool>;
}

/** The share of the time before the disaster after which what is broken is. */
const brokenAfter = 0.25;
/** The share of it after which something is deleted by mistake. */
const mistakenAfter = 0.5;

/**
 * Loses a database and its files while clients send and listen, restores both, and compares everything; or the database
 * alone, as it was before a mistake.
 */
export const drill = (options: DrillOptions): Promise<DrillReport> =>
  withDeployment(options, async (kept, cluster, realm) => {
    const tool = await options.createTool(kept);
    await using clients = new Clients(cluster, realm, options);
    await clients.uploadFirst();
    await beginArchiving(kept, tool);
    await cluster.whenReady();
    return await loseAndRestore(options, kept, cluster, tool, clients);
  });

async function loseAndRestore(
  options: DrillOptions,
  kept: Kept,
  cluster: Cluster,
  tool: BackupTool,
  clients: Clients,
): Promise<DrillReport> {
  const { dir, broken, queues, say } = options;
  const { postgres } = kept;
  say(`${queues} clients listen and send for ${options.seconds} s.`);
  await clients.begin(queues);
  await pause(options.seconds * 1000 * brokenAfter);
  if (broken === 'archive') await alterSystem(postgres.url, { archive_command: 'true' });
  await pause(options.seconds * 1000 * (mistakenAfter - brokenAfter));
  const mistake = options.isMistaken ? await makeMistake(kept) : null;
  await pause(options.seconds * 1000 * (1 - mistakenAfter));

  const mebibytes = await readMebibytes(postgres.url);
  const until = broken === 'target' ? undefined : mistake?.before;
  const { data, files, ...times } = mistake
    ? await goBack(kept, tool, dir, until)
    : await loseAll(options, kept, { cluster, tool, clients });
  say(`Restored in ${((times.writableMs - times.destroyedMs) / 1000).toFixed(1)} s. Clients go on …`);
  await clients.goOn(times.laidOutMs);
  const seen = await clients.finish(postgres.url);
  const verified = await verifyFiles(dir);

  say('Comparing every row with what was destroyed …');
  const { rows, broughtBack } = await lookAtBoth({ dir, tool, data, until }, async (before, after) => {
    if (broken === 'rows') await deleteOneMessage(after.url);
    const compared = await compareRows(before.url, after.url);
    say('One organization of the copy comes back …');
    const copy = {
      dir,
      databaseUrl: postgres.url,
      copyUrl: after.url,
      layOutFiles: (uploads: string) => tool.layOutFiles(uploads),
    };
    return { rows: compared, broughtBack: await bringBack(copy) };
  });
  return {
    tool: tool.name,
    messages: options.messages,
    mebibytes,
    seconds: options.seconds,
    times: { ...times, beganMs: clients.beganMs },
    mistake: mistake && { ...mistake, back: await countBack(postgres.url, mistake) },
    ...seen,
    files,
    verified,
    rows,
    broughtBack,
  };
}

interface Lost extends Restored {
  /** Where the server's data is. */
  data: string;
  files: FilesCompared;
}

/** Destroys the database and the files, and restores both. */
async function loseAll(
  { dir, broken }: DrillOptions,
  kept: Kept,
  { cluster, tool, clients }: { cluster: Cluster; tool: BackupTool; clients: Clients },
): Promise<Lost> {
  kept.say('The database and the files are destroyed.');
  const destroyedMs = Date.now();
  const data = await destroy(kept, cluster, dir);
  const restored = await restore(kept, tool, data);
  const [first] = clients.uploads;
  if (broken === 'files' && first) await rm(join(kept.uploads, pathOf(first)), { recursive: true });
  const destroyed = await readDigests(wreckIn(dir).uploads);
  const files = compareFiles(destroyed, await readDigests(kept.uploads), destroyedMs);
  return { data, files, destroyedMs, ...restored };
}

/** Stops the database, and restores it as it was before a mistake. The files stay as they are, and nodes run. */
async function goBack(
  kept: Kept,
  tool: BackupTool,
  dir: string,
  until: Mistake['before'] | undefined,
): Promise<Lost> {
  kept.say('The database goes back to the moment before.');
  const destroyedMs = Date.now();
  const data = await takeAway(kept, dir);
  const before = await readDigests(kept.uploads);
  const restored = await restoreData(kept, tool, data, until);
  const files = compareFiles(before, await readDigests(kept.uploads), destroyedMs);
  return { data, files, destroyedMs, ...restored };
}

async function deleteOneMessage(url: string): Promise<void> {
  const sql = openSql(url);
  await sql`delete from messages where id = (select min(id) from messages)`;
  await sql.end({ timeout: 5 });
}

async function readMebibytes(url: string): Promise<number> {
  const sql = openSql(url);
  const [row] = await sql<{ mebibytes: number }[]>`
    select (pg_database_size(current_database()) / 1048576)::int as mebibytes`;
  await sql.end({ timeout: 5 });
  return row?.mebibytes ?? 0;
}
