import { type ChannelRow, type Tx, tables, type UserRow } from '@parley/db';
import { type Actor, isBot, type Realm } from '@parley/model';
import * as model from '@parley/model';
import { type DisplayRecipient, type Audience, ApiError, botTypes } from '@parley/protocol';
import { and, eq, sql } from 'drizzle-orm';
import type { z } from 'zod';

import { ensureDirectConversation } from '../../conversations/index.ts';
import { createTopic } from '../../topics/index.ts';
import {
  type Recipient,
  assertMayPost,
  assertTopicAllowed,
  getRecipients,
  assertMayWriteTo,
} from './recipients.ts';

/** Where a message goes: its conversation, and how that is shown. */
export interface Address {
  conversationId: number;
  channelId: number | null;
  topicId: number | null;
  subject: string;
  displayRecipient: string | z.infer<typeof DisplayRecipient>[];
  /** Ids of the people of a direct conversation; null where the conversation's members are the audience. */
  people: number[] | null;
  /** Outgoing-webhook bots among these people, whose services are told of what a human writes there. */
  webhookBots: number[];
  isPublic: boolean;
  /** The channel is archived: clients that do not know archived channels do not get the message. */
  isArchived: boolean;
  /** Set where the channel has no message yet: the channel, and the users who may see it. */
  emptyChannel: { channel: ChannelRow; audience: Audience } | null;
  /** The topic has no message yet. */
  isNewTopic: boolean;
}

/**
 * Resolves a recipient that the actor may write to. Creates topics and direct conversations that do not exist. `topic` is
 * what is known of the recipient's topic since the rules were read.
 *
 * @throws STREAM_DOES_NOT_EXIST for a channel that does not exist
 * @throws BAD_REQUEST where the actor may not write
 */
export async function getAddress(
  tx: Tx,
  actor: Actor,
  recipient: Recipient,
  { rules, topic }: { rules: model.permissions.Rules; topic: KnownTopic | undefined },
): Promise<Address> {
  return recipient.type === 'channel'
    ? await channelAddress(tx, actor, recipient, { rules, topic })
    : await directAddress(tx, actor, recipient.users, rules);
}

async function channelAddress(
  tx: Tx,
  actor: Actor,
  to: Recipient & { type: 'channel' },
  { rules, topic }: { rules: model.permissions.Rules; topic: KnownTopic | undefined },
): Promise<Address> {
  const access = await model.access.findChannel(tx, actor, to.channel);
  if (!access) {
    throw typeof to.channel === 'number'
      ? new ApiError('STREAM_DOES_NOT_EXIST', `There is no channel with the id ${to.channel}.`, {
          stream_id: to.channel,
        })
      : new ApiError('STREAM_DOES_NOT_EXIST', `There is no channel called '${to.channel}'.`, {
          stream: to.channel,
        });
  }
  await assertMayPost(tx, actor, access, rules);
  assertTopicAllowed(access.channel, to.topic, rules);
  const { channel } = access;
  // Another channel may have had this name.
  const known =
    topic?.channelId === channel.id ? topic : await lookUpTopic(tx, actor.realm.id, channel.id, to.topic);
  return await addressOfTopic(tx, actor.realm, channel, { name: to.topic, known, rules });
}

/**
 * Returns the address of a topic in a channel, without asking whether anyone may write there. Creates the topic if
 * needed.
 */
export async function addressInChannel(
  tx: Tx,
  realm: Realm,
  channel: ChannelRow,
  topicName: string,
  rules: model.permissions.Rules,
): Promise<Address> {
  const known = await lookUpTopic(tx, realm.id, channel.id, topicName);
  return await addressOfTopic(tx, realm, channel, { name: topicName, known, rules });
}

interface NamedTopic {
  name: string;
  known: KnownTopic | undefined;
  rules: model.permissions.Rules;
}

async function addressOfTopic(
  tx: Tx,
  realm: Realm,
  channel: ChannelRow,
  { name, known, rules }: NamedTopic,
): Promise<Address> {
  const { topic, isNew } = known?.topic
    ? { topic: known.topic, isNew: !known.hasMessages }
    : await createTopic(tx, channel, name);
  return {
    conversationId: channel.conversationId,
    channelId: channel.id,
    topicId: topic.id,
    subject: topic.name,
    displayRecipient: channel.name,
    people: null,
    webhookBots: [],
    isPublic: !channel.isPrivate,
    isArchived: channel.isArchived,
    emptyChannel:
      known?.firstMessageId === null
        ? { channel, audience: await model.access.channelAudience(tx, realm, channel, rules) }
        : null,
    isNewTopic: isNew,
  };
}

/** What is known of a channel and of its topic of some name. */
export interface KnownTopic {
  channelId: number;
  /** Null where the channel has no message. */
  firstMessageId: number | null;
  /** Null where there is no such topic. */
  topic: { id: number; name: string } | null;
  hasMessages: boolean;
}

/** Returns what is known of a channel and of its topic of this name, case aside, in one statement. */
export async function lookUpTopic(
  tx: Tx,
  realmId: number,
  channel: number | string,
  name: string,
): Promise<KnownTopic | undefined> {
  const { channels, conversationHeads: heads, topics, messages } = tables;
  const isNamed = eq(sql`lower(${topics.name})`, sql`lower(${name})`);
  const isHeadOf = and(eq(heads.realmId, realmId), eq(heads.conversationId, channels.conversationId));
  const [row] = await tx
    .select({
      channelId: channels.id,
      firstMessageId: heads.firstMessageId,
      topic: { id: topics.id, name: topics.name },
      hasMessages: sql<boolean>`exists (
        select from ${messages} where ${messages.realmId} = ${realmId} and ${messages.topicId} = ${topics.id} limit 1)`,
    })
    .from(channels)
    .innerJoin(heads, isHeadOf)
    .leftJoin(topics, and(eq(topics.realmId, realmId), eq(topics.channelId, channels.id), isNamed))
    .where(and(eq(channels.realmId, realmId), model.access.isChannel(channel)));
  return row;
}

async function directAddress(
  tx: Tx,
  actor: Actor,
  recipients: number[] | string[],
  rules: model.permissions.Rules,
): Promise<Address> {
  const others = await getRecipients(tx, actor, recipients);
  await assertMayWriteTo(tx, actor, others, rules);
  return await addressOfPeople(tx, actor, others);
}

/** Returns the address of the actor's conversation with others, without asking whether anyone may write there. */
export async function addressOfPeople(tx: Tx, actor: Actor, others: Person[]): Promise<Address> {
  const people = [...new Map([actorRow(actor), ...others].map((user) => [user.id, user])).values()];
  people.sort((a, b) => a.id - b.id);
  const ids = people.map(({ id }) => id);
  return {
    conversationId: await ensureDirectConversation(tx, actor.realm.id, ids),
    channelId: null,
    topicId: null,
    subject: '',
    displayRecipient: people.map((user) => ({
      id: user.id,
      email: model.users.publicEmail(user, actor.realm.emailDomain),
      full_name: user.fullName,
      is_mirror_dummy: false,
    })),
    people: ids,
    webhookBots: isBot(actor) ? [] : people.filter(isWebhookBot).map(({ id }) => id),
    isPublic: false,
    isArchived: false,
    emptyChannel: null,
    isNewTopic: false,
  };
}

/** Returns whether the service of an account is told of messages to it. */
export const isWebhookBot = ({ botType, isActive }: Pick<UserRow, 'botType' | 'isActive'>): boolean =>
  botType === botTypes.outgoingWebhook && isActive;

type Person = Pick<UserRow, 'id' | 'email' | 'fullName' | 'emailVisibility' | 'botType' | 'isActive'>;

const actorRow = ({ id, email, fullName, emailVisibility, botType }: Actor): Person => ({
  id,
  email,
  fullName,
  emailVisibility,
  botType,
  isActive: true,
});
