import { type Tx, tables } from '@parley/db';
import { and, eq, sql } from 'drizzle-orm';

import { type Actor, isBot } from '../actor.ts';
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
  const { policy, isMuted } = await readVisibility(tx, actor, place);
  const current = policy ?? topicPolicies.none;
  if (follows) return current === topicPolicies.followed ? null : topicPolicies.followed;
  if (current === topicPolicies.followed || current === topicPolicies.unmuted) return null;
  return isMuted ? topicPolicies.unmuted : null;
}

/** Returns the policy that a user has set for a topic, if any, and whether its channel is muted for them, in one statement. */
async function readVisibility(tx: Tx, { id, realm }: Actor, { conversationId, topicId }: Place) {
  const { conversationMembers: members, userTopics } = tables;
  const policy = tx
    .select({ policy: userTopics.policy })
    .from(userTopics)
    .where(and(eq(userTopics.realmId, realm.id), eq(userTopics.topicId, topicId), eq(userTopics.userId, id)));
  const isMuted = tx
    .select({ isMuted: members.isMuted })
    .from(members)
    .where(
      and(eq(members.realmId, realm.id), eq(members.conversationId, conversationId), eq(members.userId, id)),
    );
  const [row] = await tx.execute<{ policy: number | null; isMuted: boolean | null }>(
    sql`select (${policy}) as policy, (${isMuted}) as "isMuted"`,
  );
  return { policy: row?.policy ?? null, isMuted: row?.isMuted ?? false };
}
