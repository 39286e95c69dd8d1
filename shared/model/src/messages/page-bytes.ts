import type { Tx } from '@parley/db';
import { sql } from 'drizzle-orm';

import { bigintArray } from '../ids.ts';
import { numberLiteral } from '../number-literal.ts';
import { movesOf } from './changes.ts';

/** The most that a page holds of texts and of what is attached to them. A reply is up to twice as long. */
const pageBytesMax = 512 * 1024;
/** The same of messages that are asked for by their ids, of which none can be left out. */
export const chosenBytesMax = 1024 * 1024;
/** What a reaction takes in a reply. */
const reactionBytes = 250;

/** Whether any message of a page has something of a kind. What none has need not be asked for. */
export interface Attached {
  reactions: boolean;
  submessages: boolean;
  /** Edits and moves. */
  changes: boolean;
}

export const everythingAttached: Attached = { reactions: true, submessages: true, changes: true };

export interface PageContents {
  /** Of what messages show: their contents, the latest edits, reactions and submessages. */
  bytesOf: ReadonlyMap<number, number>;
  attached: Attached;
}

/** Each of a page's rows in which something is kept has one of these bits. */
const kinds = { message: 0, change: 1, reaction: 2, submessage: 4 };

/** Returns how long messages are, and what is attached to any of them, by one statement. */
export async function weighPage(tx: Tx, realmId: number, ids: number[]): Promise<PageContents> {
  if (ids.length === 0) {
    return { bytesOf: new Map(), attached: { reactions: false, submessages: false, changes: false } };
  }
  const page = bigintArray(ids);
  const kind = (name: keyof typeof kinds) => numberLiteral(kinds[name]);
  const isOfPage = (id: string) => sql`realm_id = ${realmId} and ${sql.raw(id)} = any(${page})`;
  const rows = await tx.execute<{ id: number; bytes: number; kinds: number }>(sql`
    select id, sum(bytes)::float8 as bytes, bit_or(kind) as kinds from (
      select id, octet_length(content) + octet_length(rendered_content), ${kind('message')}
        from messages where ${isOfPage('id')}
      union all
      select message_id, octet_length(prev_content) + octet_length(prev_rendered_content), ${kind('change')}
        from message_edits where ${isOfPage('message_id')}
      union all
      select message_id, ${numberLiteral(reactionBytes)}, ${kind('reaction')} from reactions where ${isOfPage('message_id')}
      union all
      select message_id, octet_length(content) + octet_length(type), ${kind('submessage')}
        from submessages where ${isOfPage('message_id')}
      union all
      -- A move is of many messages, and adds nothing to their length.
      (select 0, 0, ${kind('change')} from message_moves
        where ${movesOf(realmId)}
          and message_ids && (select range_agg(int8range(id, id + 1)) from unnest(${page}) id) limit 1)
    ) parts (id, bytes, kind) group by id`);
  const found = rows.reduce((sum, row) => sum | row.kinds, 0);
  return {
    bytesOf: new Map(rows.map(({ id, bytes }) => [id, bytes])),
    attached: {
      reactions: (found & kinds.reaction) > 0,
      submessages: (found & kinds.submessage) > 0,
      changes: (found & kinds.change) > 0,
    },
  };
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
