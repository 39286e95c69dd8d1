import { tables, type Tx, type TopicRow } from '@parley/db';
import { intArray, toSeconds, isAmong } from '@parley/model';
import * as model from '@parley/model';
import { type PendingEvent, events, to } from '@parley/protocol';
import { eq, and, sql } from 'drizzle-orm';

import { lockTopicPolicies } from '../../lock.ts';
import type { Move } from './move-plan.ts';

const { userTopics } = tables;

/** A statement of Postgres takes at most 65 535 parameters. */
const usersPerStatementMax = 10_000;

/** A user's policies for the two topics before a move, and for the target after it. */
interface PolicyMove {
  userId: number;
  source: number;
  target: number;
  result: number;
}

/**
 * Moves the visibility policies of users along with a whole topic. Where the target has messages, the more visible policy
 * of the two counts; users who lose access to the topic lose their policy for it. Clients expect these events in order:
 * the old topic has no policy, the list of muted topics, the new topic has the policy.
 */
export async function moveUserPolicies(
  tx: Tx,
  { from, fromTopic, targetHasMessages }: Move,
  toTopic: TopicRow,
  losers: ReadonlySet<number>,
  at: Date,
): Promise<PendingEvent[]> {
  await lockTopicPolicies(
    tx,
    { id: from.channel.realmId },
    [fromTopic.channelId, toTopic.channelId],
    'alone',
  );
  const inRealm = eq(userTopics.realmId, fromTopic.realmId);
  const isRenamed = toTopic.id === fromTopic.id;
  const rows = await tx
    .select({ userId: userTopics.userId, topicId: userTopics.topicId, policy: userTopics.policy })
    .from(userTopics)
    .where(and(inRealm, isAmong(userTopics.topicId, [fromTopic.id, toTopic.id])))
    .orderBy(userTopics.userId)
    .for('update');
  const byKey = new Map(rows.map(({ userId, topicId, policy }) => [`${userId} ${topicId}`, policy]));
  const policyOf = (userId: number, topicId: number) =>
    byKey.get(`${userId} ${topicId}`) ?? model.userTopics.topicPolicies.none;
  const moves = [...new Set(rows.map(({ userId }) => userId))].map((userId): PolicyMove => {
    const source = policyOf(userId, fromTopic.id);
    if (isRenamed) return { userId, source, target: model.userTopics.topicPolicies.none, result: source };
    const target = policyOf(userId, toTopic.id);
    if (losers.has(userId)) return { userId, source, target, result: target };
    if (targetHasMessages)
      return { userId, source, target, result: model.userTopics.moreVisiblePolicy(source, target) };
    return {
      userId,
      source,
      target,
      result: source === model.userTopics.topicPolicies.none ? target : source,
    };
  });
  if (isRenamed) {
    await tx
      .update(userTopics)
      .set({ updatedAt: at })
      .where(and(inRealm, eq(userTopics.topicId, fromTopic.id)));
  } else await writePolicies(tx, fromTopic, toTopic, moves, at);
  return await policyEvents(tx, fromTopic, toTopic, moves, at);
}

async function writePolicies(
  tx: Tx,
  fromTopic: TopicRow,
  toTopic: TopicRow,
  moves: PolicyMove[],
  at: Date,
): Promise<void> {
  const inRealm = eq(userTopics.realmId, fromTopic.realmId);
  await tx.delete(userTopics).where(and(inRealm, eq(userTopics.topicId, fromTopic.id)));
  const changed = moves.filter(({ target, result }) => target !== result);
  const cleared = changed
    .filter(({ result }) => result === model.userTopics.topicPolicies.none)
    .map(({ userId }) => userId);
  if (cleared.length > 0) {
    await tx
      .delete(userTopics)
      .where(
        and(
          inRealm,
          eq(userTopics.topicId, toTopic.id),
          sql`${userTopics.userId} = any(${intArray(cleared)})`,
        ),
      );
  }
  for (const policy of [
    model.userTopics.topicPolicies.muted,
    model.userTopics.topicPolicies.unmuted,
    model.userTopics.topicPolicies.followed,
  ]) {
    const ids = changed.filter(({ result }) => result === policy).map(({ userId }) => userId);
    await tx.execute(sql`
      insert into user_topics (realm_id, user_id, topic_id, policy, updated_at)
      select ${toTopic.realmId}, user_id, ${toTopic.id}, ${policy}, ${at.toISOString()}::timestamptz from unnest(${intArray(ids)}) user_id
      on conflict (realm_id, user_id, topic_id) do update set policy = excluded.policy, updated_at = excluded.updated_at`);
  }
}

async function policyEvents(
  tx: Tx,
  fromTopic: TopicRow,
  toTopic: TopicRow,
  moves: PolicyMove[],
  at: Date,
): Promise<PendingEvent[]> {
  const eventsFor = (users: PolicyMove[], topic: TopicRow, policy: number): PendingEvent[] => {
    const event = events.userTopic({
      stream_id: topic.channelId,
      topic_name: topic.name,
      last_updated: toSeconds(at),
      visibility_policy: policy,
    });
    const ids = users.map(({ userId }) => userId);
    return ids.length > 0 ? [to.users(ids, event)] : [];
  };
  const changed = moves.filter(({ target, result }) => target !== result);
  return [
    ...eventsFor(
      moves.filter(({ source }) => source !== model.userTopics.topicPolicies.none),
      fromTopic,
      model.userTopics.topicPolicies.none,
    ),
    ...(await mutedTopicsEvents(tx, fromTopic.realmId, moves)),
    ...[
      model.userTopics.topicPolicies.none,
      model.userTopics.topicPolicies.muted,
      model.userTopics.topicPolicies.unmuted,
      model.userTopics.topicPolicies.followed,
    ].flatMap((policy) =>
      eventsFor(
        changed.filter(({ result }) => result === policy),
        toTopic,
        policy,
      ),
    ),
  ];
}

/** Events with the whole list of muted topics, for users whose list has changed. */
async function mutedTopicsEvents(tx: Tx, realmId: number, moves: PolicyMove[]): Promise<PendingEvent[]> {
  const isMuted = (policy: number) => policy === model.userTopics.topicPolicies.muted;
  const ids = moves
    .filter(({ source, target, result }) => isMuted(source) || isMuted(target) !== isMuted(result))
    .map(({ userId }) => userId);
  const lists = new Map<number, model.userTopics.UserTopic[]>(ids.map((id) => [id, []]));
  for (let from = 0; from < ids.length; from += usersPerStatementMax) {
    const batch = ids.slice(from, from + usersPerStatementMax);
    const { muted } = model.userTopics.topicPolicies;
    for (const topic of await model.userTopics.listUserTopics(tx, realmId, batch, muted)) {
      lists.get(topic.userId)?.push(topic);
    }
  }
  return [...lists].map(([id, list]) => model.userTopics.mutedTopicsEvent(id, list));
}
