import { type LogPosition, supersededPath } from '../manifest.ts';
import { exportedTables } from '../tables/index.ts';
import type { Scope } from '../tables/table.ts';
import { addMessages, addMessagesById } from './messages.ts';
import type { PartWriter } from './part.ts';
import { type Snapshot, readRows } from './rows.ts';

/**
 * Adds everything but messages, the messages after an id, and those that have changed since their part was written: all
 * as of one moment. Messages in earlier parts that are older, or deleted by now, are listed as superseded.
 */
export async function addTables(
  tx: Snapshot,
  part: PartWriter,
  scope: Scope,
  { after, since, perPart }: { after: number; since: Date; perPart: number },
): Promise<{ messages: number; log: LogPosition }> {
  const superseded = await listSuperseded(tx, scope.realmId, since, after);
  await part.add(supersededPath, Buffer.from(superseded.map((id) => `${id}\n`).join('')));
  for (const table of exportedTables) {
    if (table.ofMessages || table.name === 'messages') continue;
    await part.addRows(table.name, readRows(tx, table, scope));
  }
  await addMessagesById(tx, part, scope, superseded);
  let [last, added] = [after, 0];
  const [{ newest } = { newest: after }] = await tx<{ newest: number }[]>`
    select coalesce(max(id), ${after}) as newest from messages where realm_id = ${scope.realmId} and id > ${after}`;
  while (last < newest) {
    const step = await addMessages(tx, part, scope, { after: last, upTo: newest, max: perPart });
    last = step.last;
    added += step.messages;
  }
  return { messages: added, log: await readPosition(tx, scope.realmId) };
}

async function readPosition(tx: Snapshot, realmId: number): Promise<LogPosition> {
  const [head] = await tx<LogPosition[]>`
    select epoch::text, seq::float8 as seq from realm_heads where realm_id = ${realmId}`;
  return head ?? { epoch: '', seq: 0 };
}

/** Messages up to an id that were edited, moved or deleted since then. */
async function listSuperseded(tx: Snapshot, realmId: number, since: Date, upTo: number): Promise<number[]> {
  const rows = await tx<{ id: number }[]>`
    select id from messages where realm_id = ${realmId} and edited_at >= ${since} and id <= ${upTo}
    union select m.id from message_moves v join messages m on m.realm_id = v.realm_id and v.message_ids @> m.id
      where v.realm_id = ${realmId} and v.moved_at >= ${since} and m.id <= ${upTo}
    union select id from archived_messages where realm_id = ${realmId} and deleted_at >= ${since} and id <= ${upTo}
    order by 1`;
  return rows.map(({ id }) => id);
}
