import type { Sql } from '@parley/db';
import { sum } from '@parley/kit';

/** Every live cursor is younger than this: by default a queue idles for at most 10 minutes. */
export const keptMinutes = 60;
/** An audience outlives the last entry that may refer to it. */
const audienceKeptMinutes = 2 * keptMinutes;
const deletedPerStatement = 10_000;

export interface Trimmed {
  entries: number;
  audiences: number;
}

/**
 * Deletes the entries older than an hour, oldest first, and the audiences that no entry refers to any more, in bounded
 * statements. Two runs at once delete the same as one. Where several servers hold organizations, one of them is asked about
 * some of its own.
 */
export async function trimLog(sql: Sql, realmIds: readonly number[] | null = null): Promise<Trimmed> {
  const [entries, audiences] = realmIds === null ? ofAll(sql) : ofRealms(sql, realmIds);
  return { entries: await untilFewer(entries), audiences: await untilFewer(audiences) };
}

/** Asks each server about the organizations that it holds; one that has all of them about null. */
type Sweep = (
  work: (db: unknown, realmIds: readonly number[] | null, sql: Sql) => Promise<Trimmed>,
) => Promise<Trimmed[]>;

/** Does the same about all organizations, wherever they are. */
export async function trimLogs(sweep: Sweep): Promise<Trimmed> {
  const trimmed = await sweep((_, realmIds, sql) => trimLog(sql, realmIds));
  return {
    entries: sum(trimmed.map(({ entries }) => entries)),
    audiences: sum(trimmed.map(({ audiences }) => audiences)),
  };
}

/** Deletes some, and answers with how many. */
type DeleteSome = () => Promise<{ count: number }>;

const ofAll = (sql: Sql): [entries: DeleteSome, audiences: DeleteSome] => [
  () => sql`
    delete from event_log where ctid = any(array(
      select ctid from event_log
      where appended_at < now() - make_interval(mins => ${keptMinutes})
      order by appended_at limit ${deletedPerStatement}
    ))`,
  () => sql`
    delete from audiences where ctid = any(array(
      select a.ctid ${fromUnused(sql)} order by superseded_at limit ${deletedPerStatement}
    ))`,
];

/** A server of several deletes no rows that it finds in the same statement: so what is deleted is looked for first. */
const ofRealms = (sql: Sql, realmIds: readonly number[]): [entries: DeleteSome, audiences: DeleteSome] => [
  async () => {
    // In a realm, times and seqs are in the same order.
    const last = await sql<{ realm_id: number; seq: string }[]>`
      select realm_id, max(seq) as seq from (
        select realm_id, seq from event_log
        where realm_id = any(${[...realmIds]}) and appended_at < now() - make_interval(mins => ${keptMinutes})
        order by appended_at, seq limit ${deletedPerStatement}
      ) old group by realm_id`;
    if (last.length === 0) return { count: 0 };
    const realms = last.map(({ realm_id }) => realm_id);
    return await sql`
      delete from event_log e using unnest(${realms}::int[], ${last.map(({ seq }) => seq)}::bigint[]) last (realm_id, seq)
      where e.realm_id = any(${realms}) and e.realm_id = last.realm_id and e.seq <= last.seq
        and e.appended_at < now() - make_interval(mins => ${keptMinutes})`;
  },
  async () => {
    const unused = await sql<{ realm_id: number; id: string }[]>`
      select a.realm_id, a.id ${fromUnused(sql)} and a.realm_id = any(${[...realmIds]})
      order by superseded_at limit ${deletedPerStatement}`;
    if (unused.length === 0) return { count: 0 };
    const realms = [...new Set(unused.map(({ realm_id }) => realm_id))];
    // No two servers deal out the same id.
    return await sql`
      delete from audiences where realm_id = any(${realms}) and id = any(${unused.map(({ id }) => id)}::bigint[])`;
  },
];

const fromUnused = (sql: Sql) => sql`
  from audiences a
  where superseded_at < now() - make_interval(mins => ${audienceKeptMinutes})
    and not exists (select from audiences later where later.realm_id = a.realm_id and later.base_id = a.id)`;

async function untilFewer(deleteSome: DeleteSome): Promise<number> {
  for (let deleted = 0; ;) {
    const { count } = await deleteSome();
    deleted += count;
    if (count < deletedPerStatement) return deleted;
  }
}
