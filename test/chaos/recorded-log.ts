import { connectSql } from '@parley/db';
import { createAudiences, readHeads, readLog } from '@parley/log';

import type { RecordedLog } from './checker.ts';

const contentsMax = 20_000;
const pageLimits = { entries: 5000, bytes: 16 * 1024 * 1024 };

/** Reads a realm's whole log from Postgres, and how often each local id was written. */
export async function readRecordedLog(
  databaseUrl: string,
  realmId: number,
): Promise<RecordedLog & { head: number }> {
  const sql = connectSql({ url: databaseUrl, name: 'checker', max: 1 });
  try {
    const entries: RecordedLog['entries'] = [];
    for (let after = 0; ;) {
      const { entries: page, hasMore } = await readLog(sql, realmId, after, pageLimits);
      const times = await sql<{ seq: number; at: Date }[]>`
        select seq, appended_at as at from event_log where realm_id = ${realmId} and seq > ${after}
        order by seq limit ${pageLimits.entries}`;
      const atOf = new Map(times.map(({ seq, at }) => [seq, at.getTime()]));
      entries.push(...page.map((entry) => ({ entry, appendedAtMs: atOf.get(entry.seq) ?? 0 })));
      after = page.at(-1)?.seq ?? after;
      if (!hasMore) break;
    }
    const ids = new Set(entries.flatMap(({ entry }) => entry.audience.members ?? []));
    const audiences = createAudiences({ sql });
    await audiences.load(ids);
    const written = await sql<{ local_id: string; ids: number[] }[]>`
      select local_id, array_agg(id) as ids from messages
      where realm_id = ${realmId} and local_id is not null group by local_id`;
    const newest = await sql<{ id: number; content: string }[]>`
      select id, content from messages where realm_id = ${realmId} order by id desc limit ${contentsMax}`;
    const [head] = await readHeads(sql, [realmId]);
    return {
      entries,
      audiences: new Map([...ids].map((id) => [id, new Set(audiences.members(id))])),
      messagesByLocalId: new Map(written.map((row) => [row.local_id, row.ids])),
      contents: new Map(newest.map(({ id, content }) => [id, content])),
      contentsFrom: newest.length < contentsMax ? 0 : (newest.at(-1)?.id ?? 0),
      head: head?.seq ?? 0,
    };
  } finally {
    await sql.end({ timeout: 5 });
  }
}
