import type { Person } from './person.ts';
import { getWorld } from './world.ts';

/** States that no request leads to, or none that has an endpoint yet. */

/** Who had read a message as it came, or to whom alone it came as unread. */
export async function setReceivedAs(
  { realm }: Pick<Person, 'realm'>,
  messageId: number,
  { readBy, unreadFor }: { readBy?: Person[]; unreadFor?: Person[] },
): Promise<void> {
  const { sql } = await getWorld();
  const ids = (people: Person[]) => people.map(({ id }) => id);
  if (readBy)
    await sql`update messages set read_by = ${ids(readBy)}
    where realm_id = ${realm.id} and id = ${messageId}`;
  if (unreadFor)
    await sql`update messages set unread_for = ${ids(unreadFor)}
    where realm_id = ${realm.id} and id = ${messageId}`;
}

/** As if an emoji had had another code when people reacted to a message with it. */
export async function recodeReactions(
  { realm }: Pick<Person, 'realm'>,
  messageId: number,
  from: string,
  to: string,
): Promise<void> {
  const { sql } = await getWorld();
  await sql`update reactions set emoji_code = ${to}
    where realm_id = ${realm.id} and message_id = ${messageId} and emoji_code = ${from}`;
}

/** Sets a channel's policy although there are topics that it does not admit. */
export async function setTopicsPolicy(channelId: number, policy: string): Promise<void> {
  const { sql } = await getWorld();
  await sql`update channels set topics_policy = ${policy} where id = ${channelId}`;
}

/** Bytes that all files of a realm may take, in MiB: the operator's to say. */
export async function setUploadQuota(realmId: number, mib: number): Promise<void> {
  const { sql } = await getWorld();
  await sql`update realms set upload_quota_mib = ${mib} where id = ${realmId}`;
}

/** Runs something while the presence of a person is written and not yet committed. */
export async function whileWritingPresence(
  { id, realm }: Person,
  run: (writer: { readonly untilSomebodyWaits: () => Promise<void> }) => Promise<void>,
): Promise<void> {
  const { sql } = await getWorld();
  await sql.begin(async (tx) => {
    await tx`select from set_presence(${id}, ${realm.id}, 'active', now(), interval '0')`;
    const [{ pid } = { pid: 0 }] = await tx<{ pid: number }[]>`select pg_backend_pid() as pid`;
    await run({
      async untilSomebodyWaits() {
        for (let isWaiting = false; !isWaiting;) {
          const rows = await sql`select from pg_stat_activity where ${pid} = any(pg_blocking_pids(pid))`;
          isWaiting = rows.length > 0;
        }
      },
    });
  });
}

/** Waits until that many transactions wait for a lock of a kind. */
export async function untilSomebodyWaits(kind: 'advisory' | 'transactionid', count: number): Promise<void> {
  const { sql } = await getWorld();
  for (let waiting = 0; waiting < count;) {
    const rows = await sql`
      select from pg_locks join pg_stat_activity a using (pid)
      where a.datname = current_database() and locktype = ${kind} and not granted`;
    waiting = rows.length;
  }
}

/** As if topics of this name had never been made: from now on Postgres refuses to make them, with an error of its own. */
export async function breakTopic(name: string, code: string): Promise<void> {
  const { sql } = await getWorld();
  await sql`delete from topics where name = ${name}`;
  await sql.unsafe(`
    create function break_${name}() returns trigger language plpgsql as $$
    begin
      raise exception 'broken on purpose' using errcode = '${code}';
    end $$;
    create trigger break_${name} before insert on topics
      for each row when (new.name = '${name}') execute function break_${name}()`);
}

export async function mendTopic(name: string): Promise<void> {
  const { sql } = await getWorld();
  await sql.unsafe(`drop trigger break_${name} on topics`);
}
