import type { Tx } from '@parley/db';
import { ApiError, type Ephemeral, ephemeralEvents } from '@parley/protocol';
import { type SQL, sql } from 'drizzle-orm';

import type { Actor } from '../actor.ts';
import { type MessageRecord, getMessage } from '../messages/access.ts';
import { checkContentEdit } from '../messages/edit/permissions.ts';
import { getRules } from '../realms/rules.ts';
import { listUsers } from '../users/find.ts';
import type { TypingOp } from './compose.ts';
import { listenersAmong, listenersIn } from './listeners.ts';
import { checkTells } from './may.ts';

/** In a channel with protected history, not all subscribers have the message. */
const hasReceived = ({ conversationId, ordinal }: MessageRecord): SQL => sql`exists (
  select from conversation_members r
  where r.conversation_id = ${conversationId} and r.user_id = users.id and r.received @> ${ordinal}::bigint)`;

/** The actor begins or ceases to edit a message that they may edit. */
export async function editMessage(
  tx: Tx,
  actor: Actor,
  op: TypingOp,
  messageId: number,
  nowMs: number,
): Promise<Ephemeral> {
  const rules = await getRules(tx, actor.realm.id);
  const access = await getMessage(tx, actor, messageId, { rules });
  const { channel, topic, people } = access;
  if (channel?.channel.isArchived) throw new ApiError('BAD_REQUEST', 'Invalid message(s)');
  checkContentEdit(actor, access, rules, new Date(nowMs));
  checkTells(actor, channel ? 'channel' : 'direct');

  const about = { sender_id: actor.id, message_id: messageId };
  const event = ephemeralEvents.typingEditMessage[op];
  if (channel) {
    const recipient = { type: 'channel' as const, channel_id: channel.channel.id, topic: topic?.name ?? '' };
    return {
      users: await listenersIn(
        tx,
        channel.channel.conversationId,
        channel.channel.sharesHistory ? undefined : hasReceived(access.message),
      ),
      event: event({ ...about, recipient }),
    };
  }
  const users = listenersAmong(await listUsers(tx, actor.realm.id, people ?? []));
  return { users, event: event({ ...about, recipient: { type: 'direct', user_ids: users } }) };
}
