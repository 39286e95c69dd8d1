import type { Tx } from '@parley/db';
import { sql } from 'drizzle-orm';

/** What a search engine has of a realm in a snapshot: the messages of a range of ids, but for those that have changed since. */
export interface Coverage {
  index: string;
  generation: string;
  from: number;
  to: number;
  changed: readonly number[];
}

/** An engine that is so many entries behind, or that many messages, is not asked: whatever has changed is looked through. */
const entriesMax = 1000;
const changedMax = 2000;

interface Row extends Record<string, unknown> {
  index: string;
  generation: string;
  from: number;
  to: number;
  behind: number;
  entries: number;
  changed: number[];
}

/** Returns what the engine has of a realm; null if that is nothing, or too old to be of use. */
export async function findCoverage(tx: Tx, realmId: number): Promise<Coverage | null> {
  const [row] = await tx.execute<Row>(sql`
    select c.index_name as index, c.generation, c.filled_from as "from", c.message_id as "to",
      (h.seq - c.seq)::int as behind, n.entries, n.changed
    from search_engine_cursors c
    join realm_heads h on h.realm_id = ${realmId} and h.epoch = c.epoch and h.seq - c.seq between 0 and ${entriesMax}
    cross join lateral (
      select count(distinct e.seq)::int as entries, array(
        select id from (
          select distinct i.id::bigint as id from event_log l
          cross join lateral (
            select l.entry #>> '{event,message,id}' as id where l.entry #>> '{event,type}' = 'message'
            union all
            select json_array_elements_text(l.entry #> '{event,message_ids}') where l.entry #>> '{event,type}' = 'update_message'
          ) i
          where l.realm_id = ${realmId} and l.seq > c.seq and l.seq <= h.seq
        ) i where id between c.filled_from and c.message_id limit ${changedMax + 1}
      ) as changed
      from event_log e where e.realm_id = ${realmId} and e.seq > c.seq and e.seq <= h.seq
    ) n
    where c.realm_id = ${realmId} and c.filled_from <= c.message_id`);
  // What the log has no longer, nobody knows.
  if (!row || row.entries !== row.behind || row.changed.length > changedMax) return null;
  const { index, generation } = row;
  return {
    index,
    generation,
    from: Number(row.from),
    to: Number(row.to),
    changed: row.changed.map(Number),
  };
}
