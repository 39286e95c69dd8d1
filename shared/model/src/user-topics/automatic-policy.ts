import { type Tx, tables } from '@parley/db';
import { and, eq } from 'drizzle-orm';

import { type Actor, isBot } from '../actor.ts';
import { findTopicPolicies } from './find.ts';
import { topicPolicies } from './policies.ts';

/** How a user takes part in a topic. Each kind includes those before it: starting a topic is also sending to it. */
const participationKinds = ['participate', 'send', 'start'] as const;

export type ParticipationKind = (typeof participationKinds)[number];

interface Place {
  conversationId: number;
  topicId: number;
}

/**
 * Returns the visibility policy that a topic gets because a user takes part in it, or null if its policy stays. The
 * user's own settings decide (1 participate, 2 send, 3 start, 4 never). A topic never becomes less visible this way.
 */
export async function automaticTopicPolicy(
  tx: Tx,
  actor: Actor,
  place: Place,
  participation: ParticipationKind,
): Promise<number | null> {
  if (isBot(actor)) return null;
  const isEnough = (setting: number) => setting <= participationKinds.indexOf(participation) + 1;
  const follows = isEnough(actor.settings.automatically_follow_topics_policy);
  const unmutes = isEnough(actor.settings.automatically_unmute_topics_in_muted_streams_policy);
  if (!follows && !unmutes) return null;
  const current =
    (await findTopicPolicies(tx, actor.realm.id, place.topicId, [actor.id])).get(actor.id) ??
    topicPolicies.none;
  if (follows) return current === topicPolicies.followed ? null : topicPolicies.followed;
  if (current === topicPolicies.followed || current === topicPolicies.unmuted) return null;
  return (await isMuted(tx, actor, place.conversationId)) ? topicPolicies.unmuted : null;
}

async function isMuted(tx: Tx, { id, realm }: Actor, conversationId: number): Promise<boolean> {
  const { conversationMembers } = tables;
  const isMember = and(
    eq(conversationMembers.realmId, realm.id),
    eq(conversationMembers.conversationId, conversationId),
    eq(conversationMembers.userId, id),
  );
  const [member] = await tx
    .select({ isMuted: conversationMembers.isMuted })
    .from(conversationMembers)
    .where(isMember);
  return member?.isMuted ?? false;
}
