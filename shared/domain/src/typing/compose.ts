import type { Tx } from '@parley/db';
import { ApiError, type Ephemeral, ephemeralEvents } from '@parley/protocol';

import type { Actor } from '../actor.ts';
import { findChannel } from '../channels/find.ts';
import { mayRead } from '../channels/may.ts';
import { checkMayPost, checkMayWriteTo, getRecipients } from '../messages/address.ts';
import { getRules } from '../realms/rules.ts';
import { listUsers } from '../users/find.ts';
import { publicEmail } from '../users/present.ts';
import { listBlind } from '../users/seen.ts';
import { listenersAmong, listenersIn } from './listeners.ts';
import { checkTells } from './may.ts';

export type TypingOp = 'start' | 'stop';

/** The actor begins or ceases to write to these people, to whom they may write. Makes no conversation. */
export async function composeDirect(
  tx: Tx,
  actor: Actor,
  op: TypingOp,
  userIds: number[],
): Promise<Ephemeral> {
  checkTells(actor, 'direct');
  const others = await getRecipients(tx, actor, userIds);
  await checkMayWriteTo(tx, actor, others, await getRules(tx, actor.realm.id));
  const people = await listUsers(tx, actor.realm.id, [actor.id, ...others.map(({ id }) => id)]);
  const present = (user: Parameters<typeof publicEmail>[0]) => ({
    user_id: user.id,
    email: publicEmail(user, actor.realm.host),
  });
  const event = ephemeralEvents.typing[op]({
    message_type: 'direct',
    sender: present(actor),
    recipients: people.map(present),
  });
  return { users: listenersAmong(people), event };
}

/** The actor begins or ceases to write in a channel where they may. Makes no topic. */
export async function composeInChannel(
  tx: Tx,
  actor: Actor,
  op: TypingOp,
  { channelId, topic }: { channelId: number; topic: string },
): Promise<Ephemeral> {
  checkTells(actor, 'channel');
  const rules = await getRules(tx, actor.realm.id);
  const access = await findChannel(tx, actor, channelId);
  if (!access || !mayRead(actor, access, rules)) throw new ApiError('BAD_REQUEST', 'Invalid channel ID');
  await checkMayPost(tx, actor, access, rules);
  const event = ephemeralEvents.typing[op]({
    message_type: 'stream',
    sender: { user_id: actor.id, email: publicEmail(actor, actor.realm.host) },
    stream_id: channelId,
    topic,
  });
  const { conversationId } = access.channel;
  const blind = await listBlind(tx, rules, conversationId, actor);
  const listeners = await listenersIn(tx, conversationId);
  return { users: listeners.filter((id) => !blind.includes(id)), event };
}
