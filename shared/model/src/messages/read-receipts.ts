import type { Tx } from '@parley/db';
import { ApiError, userSettings } from '@parley/protocol';
import { sql } from 'drizzle-orm';

import { getMessage } from '../access/messages.ts';
import type { Actor } from '../actor.ts';
import { intArray } from '../ids.ts';
import { getRules } from '../permissions/rules.ts';

/**
 * Returns the ids of users who have read a message and send read receipts. The sender is left out, and so is everyone
 * who mutes the actor or is muted by the actor.
 *
 * @throws BAD_REQUEST for a message that the actor may not read, and if the organization disables read receipts
 */
export async function listMessageReaders(tx: Tx, actor: Actor, id: number): Promise<number[]> {
  const rules = await getRules(tx, actor.realm.id);
  const { message } = await getMessage(tx, actor, id, { rules });
  if (!rules.settings.enable_read_receipts) {
    throw new ApiError('BAD_REQUEST', 'Read receipts are turned off in this organization.');
  }
  const { ordinal, readBy, unreadFor, senderId, conversationId } = message;
  const deliveredRead = [
    sql`c.user_id = any(${intArray(readBy)})`,
    ...(unreadFor ? [sql`c.user_id <> all(${intArray(unreadFor)})`] : []),
  ];
  const rows = await tx.execute<{ id: number }>(sql`
    select c.user_id as id
    from conversation_members c join users u on u.realm_id = c.realm_id and u.id = c.user_id
    where c.realm_id = ${actor.realm.id} and c.conversation_id = ${conversationId} and c.received @> ${ordinal}::bigint
      and (c.read @> ${ordinal}::bigint or ${sql.join(deliveredRead, sql` or `)})
      and c.user_id <> ${senderId} and u.is_active
      and coalesce((u.settings ->> 'send_read_receipts')::boolean, ${userSettings.send_read_receipts.default})
      and not exists (
        select from muted_users x
        where x.realm_id = ${actor.realm.id} and (
          (x.user_id = ${actor.id} and x.muted_user_id = c.user_id)
          or (x.user_id = c.user_id and x.muted_user_id = ${actor.id}))
      )
    order by 1`);
  return rows.map((row) => row.id);
}
