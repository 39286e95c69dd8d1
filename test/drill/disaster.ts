import { mkdir, rename } from 'node:fs/promises';
import { basename, join } from 'node:path';

import { type Cluster, type Postgres, findData, setIn, startPostgres } from '@parley/infra';
import { pause } from '@parley/kit';
import { connectSql } from '@parley/log';

import type { BackupTool, Kept } from './backup-tool.ts';

export interface Restored {
  /** When the server was asked to end, in ms since 1970. */
  destroyedMs: number;
  /** When the server began to read the archive, and when it took writes again. */
  laidOutMs: number;
  writableMs: number;
}

/** Changes settings of a server that runs. What needs a start takes effect with the next one. */
export async function alterSystem(url: string, settings: Readonly<Record<string, string>>): Promise<void> {
  const sql = connectSql({ url, name: 'drill', max: 1 });
  for (const [name, value] of Object.entries(settings)) {
    await sql.unsafe(`alter system set ${name} = '${value.replaceAll("'", "''")}'`);
  }
  await sql`select pg_reload_conf()`;
  await sql.end({ timeout: 5 });
}

/** Makes a server archive, and makes the first backup of it. */
export async function beginArchiving({ postgres, say }: Kept, tool: BackupTool): Promise<void> {
  await alterSystem(postgres.url, tool.settings);
  await ours(postgres.restart)();
  const startMs = Date.now();
  await tool.backUp();
  say(`Backed up in ${((Date.now() - startMs) / 1000).toFixed(1)} s.`);
}

function ours<Act>(act: Act | undefined): Act {
  if (act) return act;
  throw new Error('Start the drill without DATABASE_URL: it destroys a database.');
}

/** Where what was destroyed is looked at in the end, as nobody can after a real disaster. */
export const wreckIn = (dir: string) => ({
  server: join(dir, 'wreck'),
  uploads: join(dir, 'wreck', 'uploads'),
});

/** Ends the server, and takes its data away. Returns where that was. */
export async function takeAway({ postgres }: Kept, dir: string): Promise<string> {
  const data = await findData(postgres.url);
  const folder = join(wreckIn(dir).server, 'postgres');
  await mkdir(folder, { recursive: true });
  await ours(postgres.crash)();
  await rename(data, join(folder, basename(data)));
  return data;
}

/**
 * Ends the server as a power cut does, and takes its data and all files away. Nodes that have the files open end with them:
 * one that went on would write the row of a file into the restored database that it has stored on the disk that is gone.
 * Returns where the data was.
 */
export async function destroy(kept: Kept, cluster: Cluster, dir: string): Promise<string> {
  const data = await takeAway(kept, dir);
  await rename(kept.uploads, wreckIn(dir).uploads);
  for (const node of cluster.nodes.filter(({ role }) => role !== 'queue')) cluster.kill(node);
  return data;
}

/** Restores data and files on empty disks, and starts the server. Resolves when it takes writes. */
export async function restore(
  kept: Kept,
  tool: BackupTool,
  data: string,
): Promise<Omit<Restored, 'destroyedMs'>> {
  await tool.layOutFiles(kept.uploads);
  return await restoreData(kept, tool, data, undefined);
}

/** Restores data as it was at a point in time, or else when it was destroyed. Resolves when the server takes writes. */
export async function restoreData(
  { postgres }: Kept,
  tool: BackupTool,
  data: string,
  until: string | undefined,
): Promise<Omit<Restored, 'destroyedMs'>> {
  await tool.layOut(data, { isApart: false, until });
  const laidOutMs = Date.now();
  await ours(postgres.restart)();
  await untilWritable(postgres.url);
  return { laidOutMs, writableMs: Date.now() };
}

async function untilWritable(url: string): Promise<void> {
  const sql = connectSql({ url, name: 'drill', max: 1 });
  const isReading = async () => {
    const [row] = await sql<{ reads: boolean }[]>`select pg_is_in_recovery() as reads`;
    return row?.reads !== false;
  };
  while (await isReading()) await pause(50);
  await sql.end({ timeout: 5 });
}

/**
 * Starts what was destroyed, and restores the archive once more beside it, both apart from all else. Uses them, and ends
 * them.
 */
export async function lookAtBoth<Result>(
  { dir, tool, data, until }: { dir: string; tool: BackupTool; data: string; until: string | undefined },
  compare: (destroyed: Postgres, restored: Postgres) => Promise<Result>,
): Promise<Result> {
  const again = join(dir, 'again');
  const [wreckData, copy] = [wreckIn(dir).server, again].map((home) =>
    join(home, 'postgres', basename(data)),
  );
  if (!wreckData || !copy) throw new Error('There are no folders.');
  await mkdir(join(again, 'postgres'), { recursive: true });
  await tool.layOut(copy, { isApart: true, until });
  await setIn(wreckData, { archive_mode: 'off' });
  const say = () => {};
  await using destroyed = await startPostgres({ dir: wreckIn(dir).server, durable: true, say });
  await using restored = await startPostgres({ dir: again, durable: true, say });
  await untilWritable(restored.url);
  return await compare(destroyed, restored);
}
