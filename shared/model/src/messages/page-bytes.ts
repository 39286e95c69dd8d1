import type { Tx } from '@parley/db';
import { sql } from 'drizzle-orm';

import { bigintArray } from '../ids.ts';

/** The most that a page holds of texts and of what is attached to them. A reply is up to twice as long. */
const pageBytesMax = 512 * 1024;
/** The same of messages that are asked for by their ids, of which none can be left out. */
export const chosenBytesMax = 1024 * 1024;
/** What a reaction takes in a reply. */
const reactionBytes = 250;

/** Returns bytes by message id of what messages show: their contents, the latest edits, reactions and submessages. */
export async function listMessageBytes(tx: Tx, realmId: number, ids: number[]): Promise<Map<number, number>> {
  const isOfPage = (id: string) => sql`realm_id = ${realmId} and ${sql.raw(id)} = any(${bigintArray(ids)})`;
  const rows = await tx.execute<{ id: number; bytes: number }>(sql`
    select id, sum(bytes)::float8 as bytes from (
      select id, octet_length(content) + octet_length(rendered_content) as bytes from messages where ${isOfPage('id')}
      union all
      select message_id, octet_length(prev_content) + octet_length(prev_rendered_content)
        from message_edits where ${isOfPage('message_id')}
      union all
      select message_id, ${reactionBytes}::int from reactions where ${isOfPage('message_id')}
      union all
      select message_id, octet_length(content) + octet_length(type) from submessages where ${isOfPage('message_id')}
    ) parts (id, bytes) group by id`);
  return new Map(rows.map(({ id, bytes }) => [id, bytes]));
}

/**
 * Returns those of a page's ids, ascending, that are nearest to the anchor and together within the limit. At least one
 * on each side of the anchor is kept, so that whoever asks on always gets on.
 */
export function cutPage(
  ids: number[],
  anchor: number,
  bytesOf: ReadonlyMap<number, number>,
  bytesMax = pageBytesMax,
): number[] {
  const before = ids.filter((id) => id < anchor).reverse();
  const after = ids.filter((id) => id > anchor);
  let bytes = ids.includes(anchor) ? (bytesOf.get(anchor) ?? 0) : 0;
  const kept = { before: 0, after: 0 };
  const take = (side: 'before' | 'after', id: number | undefined) => {
    if (id === undefined) return false;
    const size = bytesOf.get(id) ?? 0;
    if (kept[side] > 0 && bytes + size > bytesMax) return false;
    bytes += size;
    kept[side] += 1;
    return true;
  };
  let [hasBefore, hasAfter] = [true, true];
  for (let at = 0; hasBefore || hasAfter; at += 1) {
    hasBefore &&= take('before', before[at]);
    hasAfter &&= take('after', after[at]);
  }
  return [
    ...before.slice(0, kept.before).reverse(),
    ...ids.filter((id) => id === anchor),
    ...after.slice(0, kept.after),
  ];
}
