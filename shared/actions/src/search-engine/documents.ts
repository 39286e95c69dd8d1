import type { Tx } from '@parley/db';
import { bigintArray } from '@parley/model';
import * as model from '@parley/model';
import type { SearchDocument } from '@parley/search';
import { sql } from 'drizzle-orm';

/** The blocks of ids in which Postgres finds messages: an engine knows the ids. */
const isBlock = (key: string) => /^~[abe]\d/.test(key);

/** Returns messages of a realm as an engine has them, and those that there are no more as such. */
export async function listDocuments(
  db: Tx,
  realmId: number,
  ids: readonly number[],
): Promise<SearchDocument[]> {
  const rows = await db.execute<{ id: number; version: number; keys: string[] | null }>(sql`
    select w.id, h.seq as version, m.keys from unnest(${bigintArray([...ids])}) w (id)
    join realm_heads h on h.realm_id = ${realmId}
    left join lateral (
      select tsvector_to_array(${model.messages.searchKeys}) as keys from messages m where m.realm_id = ${realmId} and m.id = w.id offset 0
    ) m on true`);
  return rows.map(({ id, version, keys }) => ({
    id: Number(id),
    version: Number(version),
    keys: keys?.filter((key) => !isBlock(key)) ?? null,
  }));
}
