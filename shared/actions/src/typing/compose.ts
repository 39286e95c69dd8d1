import type { Tx } from '@parley/db';
import type { Actor } from '@parley/model';
import * as model from '@parley/model';
import { type ActionResult, ephemeralEvents, ephemeralOnly, ApiError } from '@parley/protocol';

import { getRecipients, assertMayWriteTo, assertMayPost } from '../messages/index.ts';
import { typingAudienceAmong, listTypingAudience } from './audience.ts';
import { assertSharesTyping } from './permissions.ts';

export type TypingOp = 'start' | 'stop';

/**
 * Publishes that the actor starts or stops writing to users. Creates no conversation.
 *
 * @throws BAD_REQUEST for an actor who does not share typing notifications, or users to whom they may not write
 */
export async function composeDirect(
  tx: Tx,
  { actor, op, userIds }: { actor: Actor; op: TypingOp; userIds: number[] },
): Promise<ActionResult> {
  assertSharesTyping(actor, 'direct');
  const others = await getRecipients(tx, actor, userIds);
  await assertMayWriteTo(tx, actor, others, await model.permissions.getRules(tx, actor.realm.id));
  const people = await model.users.listUsers(tx, actor.realm.id, [actor.id, ...others.map(({ id }) => id)]);
  const present = (user: Parameters<typeof model.users.publicEmail>[0]) => ({
    user_id: user.id,
    email: model.users.publicEmail(user, actor.realm.emailDomain),
  });
  const event = ephemeralEvents.typing[op]({
    message_type: 'direct',
    sender: present(actor),
    recipients: people.map(present),
  });
  return ephemeralOnly({ users: typingAudienceAmong(people), event });
}
composeDirect.actionName = 'typing.composeDirect' as const;

/**
 * Publishes that the actor starts or stops writing in a channel. Creates no topic.
 *
 * @throws BAD_REQUEST for an actor who does not share typing notifications, an invalid topic name, or a channel that
 * they may not read or write in
 */
export async function composeInChannel(
  tx: Tx,
  { actor, op, channelId, topic }: { actor: Actor; op: TypingOp; channelId: number; topic: string },
): Promise<ActionResult> {
  assertSharesTyping(actor, 'channel');
  const topicName = model.messages.parseTopicName(topic);
  const rules = await model.permissions.getRules(tx, actor.realm.id);
  const access = await model.access.findChannel(tx, actor, channelId);
  if (!access || !model.access.mayReadChannel(actor, access, rules))
    throw new ApiError('BAD_REQUEST', 'This channel does not exist.');
  await assertMayPost(tx, actor, access, rules);
  const event = ephemeralEvents.typing[op]({
    message_type: 'stream',
    sender: { user_id: actor.id, email: model.users.publicEmail(actor, actor.realm.emailDomain) },
    stream_id: channelId,
    topic: topicName,
  });
  const withoutAccess = await model.access.subscribersWithoutAccess(tx, rules, access.channel, actor);
  const subscribers = await listTypingAudience(tx, actor.realm.id, access.channel.conversationId);
  return ephemeralOnly({ users: subscribers.filter((id) => !withoutAccess.includes(id)), event });
}
composeInChannel.actionName = 'typing.composeInChannel' as const;
