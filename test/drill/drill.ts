import { rm } from 'node:fs/promises';
import { join } from 'node:path';

import type { Cluster } from '@parley/infra';
import { pause } from '@parley/kit';

import { openSql } from '../upgrade/fill-archive.ts';
import type { BackupTool, Kept } from './backup-tool.ts';
import { Clients, type ClientsOptions } from './clients.ts';
import { compareFiles, readDigests } from './compare-files.ts';
import { compareRows } from './compare-rows.ts';
import { type DeploymentOptions, withDeployment } from './deployment.ts';
import { alterSystem, beginArchiving, destroy, lookAtBoth, restore, wreckIn } from './disaster.ts';
import { bringBack } from './organization.ts';
import type { DrillReport } from './report.ts';
import { pathOf } from './uploader.ts';
import { verifyFiles } from './verify-files.ts';

/** What can be broken on purpose, to see that the drill sees it. */
export const breakable = ['archive', 'files', 'rows', 'fence'] as const;

interface DrillOptions extends DeploymentOptions, ClientsOptions {
  queues: number;
  /** How long clients send and listen before the disaster. */
  seconds: number;
  createTool: (kept: Kept) => Promise<BackupTool>;
}

/** The share of the time before the disaster after which what is broken is. */
const brokenAfter = 0.25;

/** Loses a database and its files while clients send and listen, restores both, and compares everything. */
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
  await pause(options.seconds * 1000 * (1 - brokenAfter));

  const mebibytes = await readMebibytes(postgres.url);
  say('The database and the files are destroyed.');
  const destroyedMs = Date.now();
  const data = await destroy(kept, cluster, dir);
  const { laidOutMs, writableMs } = await restore(kept, tool, data);
  say(`Restored in ${((writableMs - destroyedMs) / 1000).toFixed(1)} s. Clients go on …`);
  const [first] = clients.uploads;
  if (broken === 'files' && first) await rm(join(kept.uploads, pathOf(first)), { recursive: true });
  const files = compareFiles(
    await readDigests(wreckIn(dir).uploads),
    await readDigests(kept.uploads),
    destroyedMs,
  );
  await clients.goOn(laidOutMs);
  const seen = await clients.finish(postgres.url);
  const verified = await verifyFiles(dir);

  say('Comparing every row with what was destroyed …');
  const { rows, broughtBack } = await lookAtBoth(dir, tool, data, async (before, after) => {
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
    times: { destroyedMs, laidOutMs, writableMs, beganMs: clients.beganMs },
    ...seen,
    files,
    verified,
    rows,
    broughtBack,
  };
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
