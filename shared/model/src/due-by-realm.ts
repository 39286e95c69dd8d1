import { type SQL, sql } from 'drizzle-orm';

import { type SweptRealms, isSwept } from './ids.ts';

/** Up to so many times the limit are looked at; of one realm up to the limit, and a hundred however many realms have any. */
const lookedAt = 10;
const ofOneRealm = 100;

/** The rows of a table that are due, each with `place`: how many of its realm have been due for longer. */
interface DueRows {
  table: SQL;
  /** The column that says since when a row is due. There has to be an index of it by realm. */
  dueAt: SQL;
  /** What else its index asks of a row. */
  waits?: SQL;
  now: Date;
  /** Those that the server holds which is asked; by default it holds all. */
  realmIds?: SweptRealms;
  limit: number;
}

/**
 * Returns a query of rows that are due, with `place`, for the `from` of another. Realms take turns, so that a realm in which
 * much is due keeps no other waiting. It steps from realm to realm over the index, so that it costs as much as it may list.
 */
export function dueByRealm({ table, dueAt, waits = sql`true`, now, realmIds = null, limit }: DueRows): SQL {
  if (realmIds !== null) {
    // One of several servers does not step over an index: it reads what is due.
    return sql`(
      select * from (
        select *, row_number() over (partition by realm_id order by ${dueAt}) as place from ${table}
        where ${waits} and ${isSwept(sql`realm_id`, realmIds)} and ${dueAt} <= ${now.toISOString()}::timestamptz
      ) due order by place, ${dueAt} limit ${limit}
    )`;
  }
  const firstOf = (isNext: SQL) =>
    sql`select realm_id from ${table} where ${waits} and ${isNext} order by realm_id limit 1`;
  return sql`(
    with recursive waiting as (
      (${firstOf(sql`true`)})
      union all
      select next.realm_id from waiting cross join lateral (
        ${firstOf(sql`realm_id > waiting.realm_id`)}
      ) next
    )
    select due.* from waiting cross join lateral (
      select *, row_number() over (order by ${dueAt}) as place from ${table}
      where ${waits} and realm_id = waiting.realm_id and ${dueAt} <= ${now.toISOString()}::timestamptz
      order by ${dueAt} limit (select least(${limit}, greatest(${limit * lookedAt} / count(*), ${ofOneRealm})) from waiting)
    ) due
    order by place, ${dueAt} limit ${limit}
  )`;
}
