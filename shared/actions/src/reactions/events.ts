import type { Tx } from '@parley/db';
import type { Actor } from '@parley/model';
import * as model from '@parley/model';
import { type PendingEvent, type Audience, events, unknownUser } from '@parley/protocol';

/**
 * Returns events of the actor's reaction that was added or removed, for the audience of the message. Guests who may not
 * see the actor get an event with an unknown user. The caller has locked the message.
 */
export async function reactionEvents(
  tx: Tx,
  actor: Actor,
  rules: model.permissions.Rules,
  op: 'add' | 'remove',
  { message, channel, people }: Pick<model.access.MessageAccess, 'message' | 'channel' | 'people'>,
  row: model.reactions.ReactionRow,
): Promise<PendingEvent[]> {
  const { host } = actor.realm;
  const eventOf = (user: { email: string; full_name: string }, audience: Audience): PendingEvent => ({
    event: events.reaction[op]({
      message_id: message.id,
      ...model.reactions.presentReaction(row),
      user: { user_id: actor.id, ...user },
    }),
    ...audience,
  });
  const audience = await model.access.messageAudience(tx, { channel: channel?.channel ?? null, people }, [
    message.id,
  ]);
  const knownUser = { email: model.users.publicEmail(actor, host), full_name: actor.fullName };
  const conversationId = channel?.channel.conversationId;
  const isInAudience = (id: number) =>
    audience.users?.includes(id) ||
    (conversationId !== undefined && audience.conversations?.includes(conversationId));
  const withoutAccess = !channel
    ? []
    : (await model.access.subscribersWithoutAccess(tx, rules, channel.channel, actor)).filter(isInAudience);
  if (withoutAccess.length === 0) return [eventOf(knownUser, audience)];
  const hiddenUser = { email: unknownUser.email(actor.id, host), full_name: unknownUser.full_name };
  return [
    eventOf(knownUser, { ...audience, except: [...(audience.except ?? []), ...withoutAccess] }),
    eventOf(hiddenUser, { users: withoutAccess }),
  ];
}
