import { rm, stat, writeFile, appendFile, chown } from 'node:fs/promises';
import { join } from 'node:path';

import { execa } from 'execa';

import { retryUntil } from '../machine/retry-until.ts';
import { connectTo } from './connect-to.ts';

const slot = 'replica';

/** Copies the data of a running server, for a second one that follows it. */
export async function copyForReplica(url: string, data: string, copy: string): Promise<void> {
  await rm(copy, { recursive: true, force: true });
  let label = '';
  await connectTo(url, async (sql) => {
    await sql`
      select pg_create_physical_replication_slot(${slot}, true)
      where not exists (select from pg_replication_slots where slot_name = ${slot})`;
    await sql`select pg_backup_start(${slot}, true)`;
    // Files may go while they are copied: the log of writes, which the replica reads, tells what became of them.
    await execa('cp', ['-a', data, copy], { reject: false });
    const [row] = await sql<{ labelfile: string }[]>`select labelfile from pg_backup_stop(false)`;
    label = row?.labelfile ?? '';
  });
  const { hostname, port, username } = new URL(url);
  const files = { backup_label: label, 'standby.signal': '' };
  const { uid, gid } = await stat(copy);
  for (const [name, content] of Object.entries(files)) {
    await writeFile(join(copy, name), content);
    await chown(join(copy, name), uid, gid);
  }
  const from = `host=${hostname} port=${port} user=${username}`;
  const settings = `primary_conninfo = '${from}'\nprimary_slot_name = '${slot}'\n`;
  await appendFile(join(copy, 'postgresql.auto.conf'), settings);
  await Promise.all(
    ['postmaster.pid', 'postmaster.opts'].map((name) => rm(join(copy, name), { force: true })),
  );
}

/** From now on the server acknowledges what the replica has, too. Resolves when that is so. */
export async function waitForReplica(url: string): Promise<void> {
  await connectTo(url, async (sql) => {
    await sql`alter system set synchronous_standby_names = '*'`;
    await sql`select pg_reload_conf()`;
    await retryUntil(async () => {
      const rows = await sql`select from pg_stat_replication where sync_state = 'sync'`;
      if (rows.length === 0) throw new Error('The replica does not follow yet.');
    }, AbortSignal.timeout(30_000));
  });
}
