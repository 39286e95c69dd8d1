import type { Tx, AttachmentRow } from '@parley/db';
import { sql } from 'drizzle-orm';

import type { Actor } from '../actor.ts';
import { getRules } from '../permissions/rules.ts';
import { findChannel } from './channels.ts';
import { mayReadMessage } from './messages.ts';

/**
 * Returns whether a user may read a file: its owner may, and so may everyone who may read a message that links to it.
 * The reader is null for someone without an account, who may read no file.
 */
export async function mayReadAttachment(
  tx: Tx,
  reader: Actor | null,
  file: Pick<AttachmentRow, 'id' | 'realmId' | 'ownerId'>,
): Promise<boolean> {
  if (!reader || reader.realm.id !== file.realmId) return false;
  if (reader.id === file.ownerId) return true;
  const places = await tx.execute<{ channel_id: number | null; was_received: boolean }>(sql`
    select m.channel_id, coalesce(bool_or(m.ordinal <@ c.received), false) as was_received
    from message_attachments r
    join messages m on m.realm_id = r.realm_id and m.id = r.message_id
    left join conversation_members c on c.realm_id = m.realm_id and c.conversation_id = m.conversation_id and c.user_id = ${reader.id}
    where r.realm_id = ${file.realmId} and r.attachment_id = ${file.id}
    group by m.channel_id`);
  const rules = await getRules(tx, reader.realm.id);
  for (const { channel_id, was_received: wasReceived } of places) {
    const channel = channel_id === null ? null : await findChannel(tx, reader, channel_id);
    if (channel !== undefined && mayReadMessage(reader, { wasReceived, channel }, rules)) return true;
  }
  return false;
}
