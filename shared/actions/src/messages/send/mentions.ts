import { type Tx, type UserRow, tables } from '@parley/db';
import type { Rendered } from '@parley/markdown';
import { type Actor, isBot, isGuest, isAmong } from '@parley/model';
import * as model from '@parley/model';
import { fullUserSettings, limits, ApiError } from '@parley/protocol';
import { and, eq, sql } from 'drizzle-orm';

import { type Address, isWebhookBot } from './address.ts';
import type { MessageExtras } from './pending-message.ts';

/** Mentioning everyone needs a permission where that is more users than this. */
const mentionsFreeMax = 15;

/** Participants of a topic are looked for among this many of its newest messages. */
const participantMessagesMax = 10_000;

export interface ResolvedMentions extends Omit<MessageExtras, 'attachments' | 'webhooks'> {
  /**
   * Humans who are mentioned by name, or as members of a group, and receive the message; `follows` says that they then
   * follow its topic.
   */
  mentioned: { id: number; follows: boolean }[];
  /** Outgoing-webhook bots that are mentioned so and receive the message. */
  webhookBots: number[];
}

/** The sender and the address of a message: what decides which users it may mention. */
interface MentionContext {
  actor: Actor;
  address: Pick<Address, 'conversationId' | 'channelId' | 'topicId' | 'people' | 'isPublic'>;
}

/**
 * Resolves the mentions of a rendered text, of the users that were looked up for it and of groups, to those who receive
 * the message. Members of a group who are not in the conversation do not.
 *
 * @throws BAD_REQUEST for a user group that the sender may not mention, also because it has very many members
 * @throws STREAM_WILDCARD_MENTION_NOT_ALLOWED TOPIC_WILDCARD_MENTION_NOT_ALLOWED for mentions of more than 15 users
 * without the permission
 */
export async function resolveMentions(
  tx: Tx,
  context: MentionContext,
  { mentions }: Rendered,
  people: UserRow[],
): Promise<ResolvedMentions> {
  const { address } = context;
  if (mentions.forbiddenGroups.length > 0)
    await refuseGroups(tx, context.actor.realm, mentions.forbiddenGroups);
  const { receiving, others } = await splitBySubscription(
    tx,
    context,
    people.filter(({ id }) => mentions.users.includes(id)),
  );
  if (mentions.channel && address.channelId !== null) await assertMayMentionMany(tx, context, 'channel');
  const inGroups = mentions.groups.length > 0 ? await listGroupMembers(tx, context, mentions.groups) : [];
  if (inGroups.length > limits.groupMentionMembers && !(await mayMentionMany(tx, context))) {
    await refuseGroups(tx, context.actor.realm, mentions.groups);
  }
  const participants =
    mentions.topic && address.topicId !== null
      ? await listParticipants(tx, context.actor.realm.id, address.topicId)
      : [];
  if (participants.length > mentionsFreeMax) await assertMayMentionMany(tx, context, 'topic');
  const named = [...receiving, ...others];
  // Of a crowd, nobody is made to follow the topic.
  const followsGroups = inGroups.length <= limits.groupMentionFollowers;
  const mentioned = [...new Map([...inGroups, ...named].map((user) => [user.id, user])).values()];
  const namedIds = new Set(named.map(({ id }) => id));
  return {
    flags: {
      ...(mentioned.length > 0 && { mentioned: mentioned.map(({ id }) => id) }),
      ...(participants.length > 0 && { topic_wildcard_mentioned: participants }),
    },
    mentionsChannel: mentions.channel,
    alsoReceivedBy: others.map(({ id }) => id),
    webhookBots: mentioned.filter(isWebhookBot).map(({ id }) => id),
    mentioned: mentioned
      .filter((user) => !isBot(user))
      .map(({ id, settings }) => ({
        id,
        follows:
          (followsGroups || namedIds.has(id)) &&
          fullUserSettings(settings).automatically_follow_topics_where_mentioned,
      })),
  };
}

/**
 * Splits mentioned users into those in the conversation, and `others` who receive this one message by being mentioned:
 * in a public channel, anyone but guests.
 */
async function splitBySubscription(tx: Tx, { actor, address }: MentionContext, people: UserRow[]) {
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
              eq(conversationMembers.realmId, actor.realm.id),
              eq(conversationMembers.conversationId, conversationId),
              isAmong(conversationMembers.userId, ids),
              conversationMembers.isSubscribed,
            ),
          );
  const subscribed = new Set(rows.map(({ id }) => id));
  return {
    receiving: people.filter(({ id }) => subscribed.has(id)),
    others: isPublic ? people.filter(({ id, role }) => !subscribed.has(id) && !isGuest({ role })) : [],
  };
}

type Mentioned = Pick<UserRow, 'id' | 'botType' | 'isActive' | 'settings'>;

/** The active members of groups, and of groups that these contain, who are in the conversation. */
async function listGroupMembers(
  tx: Tx,
  { actor, address }: MentionContext,
  groupIds: number[],
): Promise<Mentioned[]> {
  const { conversationMembers: members, users } = tables;
  const { conversationId, people } = address;
  const rules = await model.permissions.getRules(tx, actor.realm.id);
  const isReceiving = people
    ? isAmong(users.id, people)
    : sql`exists (select from ${members}
        where ${members.realmId} = ${actor.realm.id} and ${members.conversationId} = ${conversationId}
        and ${members.userId} = ${users.id} and ${members.isSubscribed})`;
  return await tx
    .select({ id: users.id, botType: users.botType, isActive: users.isActive, settings: users.settings })
    .from(users)
    .where(
      and(
        eq(users.realmId, actor.realm.id),
        users.isActive,
        eq(users.isSystem, false),
        model.userGroups.inGroupsCondition(rules, groupIds),
        isReceiving,
      ),
    )
    .orderBy(users.id);
}

async function refuseGroups(tx: Tx, realm: { id: number }, ids: number[]): Promise<void> {
  const { userGroups } = tables;
  const [group] = await tx
    .select({ name: userGroups.name })
    .from(userGroups)
    .where(and(eq(userGroups.realmId, realm.id), isAmong(userGroups.id, ids)))
    .orderBy(userGroups.id)
    .limit(1);
  throw new ApiError(
    'BAD_REQUEST',
    `You do not have permission to mention the group '${group?.name ?? ''}'.`,
  );
}

/** Each user who is mentioned is written with the message, so mentions of very many are not for everyone. */
const mayMentionMany = async (tx: Tx, { actor }: MentionContext) =>
  (await model.permissions.getRules(tx, actor.realm.id)).may(actor, 'can_mention_many_users_group');

async function assertMayMentionMany(
  tx: Tx,
  context: MentionContext,
  scope: 'channel' | 'topic',
): Promise<void> {
  if (scope === 'channel' && (await countSubscribers(tx, context)) <= mentionsFreeMax) return;
  if (await mayMentionMany(tx, context)) return;
  throw scope === 'channel'
    ? new ApiError(
        'STREAM_WILDCARD_MENTION_NOT_ALLOWED',
        'You do not have permission to mention everyone in this channel.',
      )
    : new ApiError(
        'TOPIC_WILDCARD_MENTION_NOT_ALLOWED',
        'You do not have permission to mention everyone in this topic.',
      );
}

async function countSubscribers(tx: Tx, { actor, address }: MentionContext): Promise<number> {
  const [row] = await tx.execute<{ size: number }>(sql`
    select a.size from conversation_heads h join audiences a on a.realm_id = h.realm_id and a.id = h.audience_id
    where h.realm_id = ${actor.realm.id} and h.conversation_id = ${address.conversationId}`);
  return row?.size ?? 0;
}

/** Users who wrote one of a topic's newest 10 000 messages, or reacted to one. */
async function listParticipants(tx: Tx, realmId: number, topicId: number): Promise<number[]> {
  const rows = await tx.execute<{ id: number }>(sql`
    with latest as (
      select id, sender_id from messages
      where realm_id = ${realmId} and topic_id = ${topicId} order by id desc limit ${participantMessagesMax}
    )
    select sender_id as id from latest
    union
    select r.user_id from reactions r join latest on latest.id = r.message_id where r.realm_id = ${realmId}
    order by id`);
  return rows.map(({ id }) => id);
}
