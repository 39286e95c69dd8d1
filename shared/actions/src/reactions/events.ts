import type { Tx } from '@parley/db';
import {
  type Actor,
  type MessageAccess,
  type ReactionRow,
  getRules,
  presentReaction,
  messageAudience,
  publicEmail,
  subscribersWithoutAccess,
} from '@parley/model';
import { type PendingEvent, type Audience, events, unknownUser } from '@parley/protocol';

/** Tells those who hear of the message that the actor's reaction came or went. The caller holds the message. */
export async function reactionEvents(
  tx: Tx,
  actor: Actor,
  op: 'add' | 'remove',
  { message, channel, people }: MessageAccess,
  row: ReactionRow,
): Promise<PendingEvent[]> {
  const rules = await getRules(tx, actor.realm.id);
  const { host } = actor.realm;
  const draft = (who: { email: string; full_name: string }, audience: Audience): PendingEvent => ({
    event: events.reaction[op]({
      message_id: message.id,
      ...presentReaction(row),
      user: { user_id: actor.id, ...who },
    }),
    ...audience,
  });
  const audience = await messageAudience(tx, { channel: channel?.channel ?? null, people }, [message.id]);
  const known = { email: publicEmail(actor, host), full_name: actor.fullName };
  const here = channel?.channel.conversationId;
  const isHearing = (id: number) =>
    audience.users?.includes(id) || (here !== undefined && audience.conversations?.includes(here));
  const blind =
    here === undefined ? [] : (await subscribersWithoutAccess(tx, rules, here, actor)).filter(isHearing);
  if (blind.length === 0) return [draft(known, audience)];
  const unknown = { email: unknownUser.email(actor.id, host), full_name: unknownUser.full_name };
  return [
    draft(known, { ...audience, except: [...(audience.except ?? []), ...blind] }),
    draft(unknown, { users: blind }),
  ];
}
