import { type Tx, type UserRow, tables } from '@parley/db';
import type { Rendered } from '@parley/markdown';
import { type Actor, isBot, getRules } from '@parley/model';
import { fullUserSettings, ApiError } from '@parley/protocol';
import { and, eq, inArray, sql } from 'drizzle-orm';

import type { Address } from './address.ts';
import type { MessageExtras } from './pending-message.ts';

/** From so many on, mentioning everyone needs a permission. */
const mentionsFreeMax = 15;

/** How far back participants of a topic are looked for. */
const participantMessagesMax = 10_000;

export interface ResolvedMentions extends Omit<MessageExtras, 'attachments'> {
  /** People who were mentioned by name and receive the message, with their settings. */
  mentioned: { id: number; follows: boolean }[];
}

/** Who speaks, and where: what it depends on whom a text may name. */
interface MentionContext {
  actor: Actor;
  address: Pick<Address, 'conversationId' | 'channelId' | 'topicId' | 'people' | 'isPublic'>;
}

/** Whom a text names of the people that it was looked up with, and may: refuses names that its author may not use. */
export async function resolveMentions(
  tx: Tx,
  plan: MentionContext,
  { mentions: named }: Rendered,
  people: UserRow[],
): Promise<ResolvedMentions> {
  const { address } = plan;
  if (named.forbiddenGroups.length > 0) await refuseGroups(tx, named.forbiddenGroups);
  const { receiving, others } = await splitBySubscription(
    tx,
    plan,
    people.filter(({ id }) => named.users.includes(id)),
  );
  if (named.channel && address.channelId !== null) await assertMayMentionMany(tx, plan, 'channel');
  const participants =
    named.topic && address.topicId !== null ? await listParticipants(tx, address.topicId) : [];
  if (participants.length > mentionsFreeMax) await assertMayMentionMany(tx, plan, 'topic');
  const mentioned = [...receiving, ...others];
  return {
    flags: {
      ...(mentioned.length > 0 && { mentioned: mentioned.map(({ id }) => id) }),
      ...(participants.length > 0 && { topic_wildcard_mentioned: participants }),
    },
    mentionsChannel: named.channel,
    alsoReceivedBy: others.map(({ id }) => id),
    mentioned: mentioned
      .filter((user) => !isBot(user))
      .map(({ id, settings }) => ({
        id,
        follows: fullUserSettings(settings).automatically_follow_topics_where_mentioned,
      })),
  };
}

/** Those in the conversation, and those whom the mention lets in for this message: members, in a public channel. */
async function splitBySubscription(tx: Tx, { address }: MentionContext, people: UserRow[]) {
  const { conversationId, people: participants, isPublic } = address;
  if (participants) {
    return { receiving: people.filter(({ id }) => participants.includes(id)), others: [] };
  }
  const { conversationMembers } = tables;
  const ids = people.map(({ id }) => id);
  const rows =
    ids.length === 0
      ? []
      : await tx
          .select({ id: conversationMembers.userId })
          .from(conversationMembers)
          .where(
            and(
              eq(conversationMembers.conversationId, conversationId),
              inArray(conversationMembers.userId, ids),
              conversationMembers.isSubscribed,
            ),
          );
  const subscribed = new Set(rows.map(({ id }) => id));
  return {
    receiving: people.filter(({ id }) => subscribed.has(id)),
    others: isPublic ? people.filter(({ id, role }) => !subscribed.has(id) && role < 600) : [],
  };
}

async function refuseGroups(tx: Tx, ids: number[]): Promise<void> {
  const { userGroups } = tables;
  const [group] = await tx
    .select({ name: userGroups.name })
    .from(userGroups)
    .where(inArray(userGroups.id, ids))
    .orderBy(userGroups.id)
    .limit(1);
  throw new ApiError('BAD_REQUEST', `You are not allowed to mention user group '${group?.name ?? ''}'.`);
}

async function assertMayMentionMany(
  tx: Tx,
  { actor, address }: MentionContext,
  whom: 'channel' | 'topic',
): Promise<void> {
  if (whom === 'channel' && (await countSubscribers(tx, address.conversationId)) <= mentionsFreeMax) return;
  const rules = await getRules(tx, actor.realm.id);
  if (rules.may(actor, 'can_mention_many_users_group')) return;
  throw whom === 'channel'
    ? new ApiError(
        'STREAM_WILDCARD_MENTION_NOT_ALLOWED',
        'You do not have permission to mention everyone in this channel.',
      )
    : new ApiError(
        'TOPIC_WILDCARD_MENTION_NOT_ALLOWED',
        'You do not have permission to mention everyone in this topic.',
      );
}

async function countSubscribers(tx: Tx, conversationId: number): Promise<number> {
  const [row] = await tx.execute<{ size: number }>(sql`
    select a.size from conversation_heads h join audiences a on a.id = h.audience_id
    where h.conversation_id = ${conversationId}`);
  return row?.size ?? 0;
}

/** Whoever has lately written in a topic, or reacted there. */
async function listParticipants(tx: Tx, topicId: number): Promise<number[]> {
  const rows = await tx.execute<{ id: number }>(sql`
    with latest as (
      select id, sender_id from messages where topic_id = ${topicId} order by id desc limit ${participantMessagesMax}
    )
    select sender_id as id from latest
    union
    select r.user_id from reactions r join latest on latest.id = r.message_id
    order by id`);
  return rows.map(({ id }) => id);
}
