import { appendFile, chown, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { execa } from 'execa';

import { retryUntil } from '../machine/retry-until.ts';
import { connectTo } from './connect-to.ts';

/** Replaces a folder by a copy of another one. */
export async function copyData(data: string, copy: string, { reject = true } = {}): Promise<void> {
  await rm(copy, { recursive: true, force: true });
  await execa('cp', ['-a', data, copy], { reject });
}

/** Copies the data of a running server, for another one that follows it. No two that follow have the same slot. */
export async function copyForReplica(url: string, data: string, copy: string, slot: string): Promise<void> {
  await connectTo(url, async (sql) => {
    await sql`
      select pg_create_physical_replication_slot(${slot}, true)
      where not exists (select from pg_replication_slots where slot_name = ${slot})`;
  });
  await copyRunning(url, data, copy);
  await writeInto(copy, 'standby.signal', '');
  const { hostname, port, username } = new URL(url);
  const from = `host=${hostname} port=${port} user=${username}`;
  await setIn(copy, { primary_conninfo: from, primary_slot_name: slot });
}

/** Forgets the replicas of a server that do not run. */
export async function dropSlots(url: string): Promise<void> {
  await connectTo(url, async (sql) => {
    await sql`select pg_drop_replication_slot(slot_name) from pg_replication_slots where not active`;
  });
}

/** Copies the data of a running server, with all that it takes to start from the copy. */
export async function copyForBackup(url: string, data: string, copy: string): Promise<void> {
  await copyRunning(url, data, copy);
  // The end of the copy is in what was written to the log of writes last.
  await execa('cp', ['-a', join(data, 'pg_wal'), copy], { reject: false });
}

/**
 * Copies the data of a running server that archives its log of writes. Resolves when the archive has all that it takes to
 * start from the copy.
 */
export async function copyForArchive(url: string, copy: string): Promise<void> {
  const data = await findData(url);
  await copyRunning(url, data, copy, true);
  const segments = join(copy, 'pg_wal');
  for (const name of await readdir(segments)) await rm(join(segments, name), { recursive: true });
}

/** Lays out data from a copy: a server that starts with it goes on with what it is told to read from an archive. */
export async function layOutArchived(
  copy: string,
  data: string,
  settings: Readonly<Record<string, string>>,
): Promise<void> {
  await copyData(copy, data);
  await setIn(data, settings);
  await writeInto(data, 'recovery.signal', '');
}

/** Sets settings of a server that does not run, over those that it had. */
export async function setIn(data: string, settings: Readonly<Record<string, string>>): Promise<void> {
  const lines = Object.entries(settings).map(
    ([name, value]) => `${name} = '${value.replaceAll("'", "''")}'\n`,
  );
  await appendFile(join(data, 'postgresql.auto.conf'), lines.join(''));
}

/** Returns the folder of a server's data. */
export async function findData(url: string): Promise<string> {
  let data = '';
  await connectTo(url, async (sql) => {
    const [row] = await sql<{ data: string }[]>`select current_setting('data_directory') as data`;
    data = row?.data ?? '';
  });
  return data;
}

/** Copies the data of a running server. What happens meanwhile has to be read from its log of writes. */
async function copyRunning(url: string, data: string, copy: string, isArchived = false): Promise<void> {
  let label = '';
  await connectTo(url, async (sql) => {
    await sql`select pg_backup_start('copy', true)`;
    // Files may go while they are copied: the log of writes tells what became of them.
    await copyData(data, copy, { reject: false });
    const [row] = await sql<{ labelfile: string }[]>`select labelfile from pg_backup_stop(${isArchived})`;
    label = row?.labelfile ?? '';
  });
  await writeInto(copy, 'backup_label', label);
  await Promise.all(
    ['postmaster.pid', 'postmaster.opts'].map((name) => rm(join(copy, name), { force: true })),
  );
}

/** Writes a file into a folder of data, for the user to whom that belongs. */
async function writeInto(data: string, name: string, content: string): Promise<void> {
  const { uid, gid } = await stat(data);
  await writeFile(join(data, name), content);
  await chown(join(data, name), uid, gid);
}

/** Resolves when a replica follows the server. If it is synchronous, the server acknowledges from then on what both have. */
export async function waitForReplica(url: string, isSynchronous = true): Promise<void> {
  await connectTo(url, async (sql) => {
    await sql.unsafe(`alter system set synchronous_standby_names = '${isSynchronous ? '*' : ''}'`);
    await sql`select pg_reload_conf()`;
    await retryUntil(async () => {
      const rows = await sql`
        select from pg_stat_replication
        where state = 'streaming' and sync_state = ${isSynchronous ? 'sync' : 'async'}`;
      if (rows.length === 0) throw new Error('The replica does not follow yet.');
    }, AbortSignal.timeout(30_000));
  });
}

/** From now on the replica receives nothing. Resolves when that is so. */
export async function stopFollowing(url: string): Promise<void> {
  await connectTo(url, async (sql) => {
    await sql`alter system set primary_conninfo = ''`;
    await sql`select pg_reload_conf()`;
    await retryUntil(async () => {
      const rows = await sql`select from pg_stat_wal_receiver`;
      if (rows.length > 0) throw new Error('The replica follows still.');
    }, AbortSignal.timeout(30_000));
  });
}
