import type { MessageRow, Tx } from '@parley/db';
import type { Actor } from '@parley/model';
import * as model from '@parley/model';
import { type ActionResult, ApiError, ephemeralEvents, ephemeralOnly } from '@parley/protocol';
import { type SQL, sql } from 'drizzle-orm';

import { assertMayEditContent } from '../messages/index.ts';
import { listTypingAudience, typingAudienceAmong } from './audience.ts';
import type { TypingOp } from './compose.ts';
import { assertSharesTyping } from './permissions.ts';

/** Whether a user has received the message: in a channel with protected history, not all subscribers have. */
const hasReceived = ({ realmId, conversationId, ordinal }: MessageRow): SQL => sql`exists (
  select from conversation_members r
  where r.realm_id = ${realmId} and r.conversation_id = ${conversationId} and r.user_id = users.id
    and r.received @> ${ordinal}::bigint)`;

/**
 * Publishes that the actor starts or stops editing a message.
 *
 * @throws BAD_REQUEST for a message that the actor may not read or edit, or an actor who does not share typing
 * notifications
 */
export async function editMessage(
  tx: Tx,
  { actor, op, messageId, nowMs }: { actor: Actor; op: TypingOp; messageId: number; nowMs: number },
): Promise<ActionResult> {
  const rules = await model.permissions.getRules(tx, actor.realm.id);
  const access = await model.access.getMessage(tx, actor, messageId, { rules });
  const { channel, topic, people } = access;
  if (channel?.channel.isArchived)
    throw new ApiError('BAD_REQUEST', 'These messages do not exist, or you do not have access to them.');
  assertMayEditContent(actor, access, rules, new Date(nowMs));
  assertSharesTyping(actor, channel ? 'channel' : 'direct');

  const fields = { sender_id: actor.id, message_id: messageId };
  const event = ephemeralEvents.typingEditMessage[op];
  if (channel) {
    const recipient = { type: 'channel' as const, channel_id: channel.channel.id, topic: topic?.name ?? '' };
    const users = await listTypingAudience(
      tx,
      actor.realm.id,
      channel.channel.conversationId,
      channel.channel.sharesHistory ? undefined : hasReceived(access.message),
    );
    return ephemeralOnly({ users, event: event({ ...fields, recipient }) });
  }
  const users = typingAudienceAmong(await model.users.listUsers(tx, actor.realm.id, people ?? []));
  return ephemeralOnly({
    users,
    event: event({ ...fields, recipient: { type: 'direct', user_ids: users } }),
  });
}
editMessage.actionName = 'typing.editMessage' as const;
