import { type Tx, tables } from '@parley/db';
import { ApiError, type DisplayRecipient, emptyTopicDisplayName } from '@parley/protocol';
import { eq, sql } from 'drizzle-orm';
import type { z } from 'zod';

import { type Actor, type Realm, isBot, isGuest } from '../actor.ts';
import { type ChannelAccess, findChannel } from '../channels/find.ts';
import { mayRead, maySeeChannel, maySend } from '../channels/may.ts';
import type { ChannelRow } from '../channels/present.ts';
import { type Watchers, watchersOf } from '../channels/watchers.ts';
import { intArray } from '../ids.ts';
import type { Rules } from '../realms/rules.ts';
import { getTopic } from '../user-topics/find.ts';
import { type UserRow, listUsers, listUsersByEmail } from '../users/find.ts';
import { publicEmail } from '../users/present.ts';
import { listUnseen } from '../users/seen.ts';

/** Where a message is to go, as the request named it. */
export type Recipient =
  | { type: 'channel'; channel: number | string; topic: string }
  | { type: 'direct'; users: number[] | string[] };

/** Where a message goes: a conversation, and how it is shown. */
export interface Address {
  conversationId: number;
  channelId: number | null;
  topicId: number | null;
  subject: string;
  displayRecipient: string | z.infer<typeof DisplayRecipient>[];
  /** The people of a direct conversation; null where the conversation's members are the audience. */
  people: number[] | null;
  isPublic: boolean;
  /** Clients that know of no archived channels hear nothing of it. */
  isArchived: boolean;
  /** Of a channel in which nothing has been said yet: who sees that it exists. */
  newTo: { channel: ChannelRow; watchers: Watchers } | null;
  /** Nothing has been said in the topic yet. */
  isNewTopic: boolean;
}

export async function findAddress(
  tx: Tx,
  actor: Actor,
  recipient: Recipient,
  rules: Rules,
): Promise<Address> {
  return recipient.type === 'channel'
    ? await channelAddress(tx, actor, recipient, rules)
    : await directAddress(tx, actor, recipient.users, rules);
}

async function channelAddress(
  tx: Tx,
  actor: Actor,
  to: Recipient & { type: 'channel' },
  rules: Rules,
): Promise<Address> {
  const access = await findChannel(tx, actor, to.channel);
  if (!access) {
    throw typeof to.channel === 'number'
      ? new ApiError('STREAM_DOES_NOT_EXIST', `Channel with ID '${to.channel}' does not exist`, {
          stream_id: to.channel,
        })
      : new ApiError('STREAM_DOES_NOT_EXIST', `Channel '${to.channel}' does not exist`, {
          stream: to.channel,
        });
  }
  await checkMayPost(tx, actor, access, rules);
  checkTopicsPolicy(access.channel, to.topic, rules);
  return await addressInChannel(tx, actor.realm, access.channel, to.topic, rules);
}

/** Refuses whoever may not write in a channel now. */
export async function checkMayPost(tx: Tx, actor: Actor, access: ChannelAccess, rules: Rules): Promise<void> {
  const { channel, isSubscribed } = access;
  // A web-public channel is open to read, but a guest writes only where subscribed.
  if (channel.isArchived || !mayRead(actor, access, rules) || (isGuest(actor) && !isSubscribed)) {
    // Whoever knows its number alone is not told what it is called, nor the other way round.
    const which = maySeeChannel(actor, access, rules) ? `channel '${channel.name}'` : 'this channel';
    throw new ApiError('BAD_REQUEST', `Not authorized to send to ${which}`);
  }
  if (!maySend(actor, access, rules) && !(await mayOwnerSend(tx, actor, access, rules))) {
    throw new ApiError('BAD_REQUEST', 'You do not have permission to post in this channel.');
  }
}

/** What its owner may say, a bot may say. */
export async function mayOwnerSend(
  tx: Tx,
  actor: Actor,
  access: ChannelAccess,
  rules: Rules,
): Promise<boolean> {
  if (actor.botOwnerId === null) return false;
  const [owner] = await listUsers(tx, actor.realm.id, [actor.botOwnerId]);
  return owner !== undefined && owner.isActive && maySend(owner, access, rules);
}

/** Whether messages may be without a topic, or must be. Also for those that are moved. */
export function checkTopicsPolicy({ topicsPolicy }: ChannelRow, topic: string, rules: Rules): void {
  const policy = topicsPolicy === 'inherit' ? rules.settings.topics_policy : topicsPolicy;
  const extra = { empty_topic_display_name: emptyTopicDisplayName };
  if (policy === 'disable_empty_topic' && topic === '') {
    const msg = `Sending messages to the ${emptyTopicDisplayName} is not allowed in this channel.`;
    throw new ApiError('BAD_REQUEST', msg, extra);
  }
  if (policy === 'empty_topic_only' && topic !== '') {
    const msg = `Only the ${emptyTopicDisplayName} topic is allowed in this channel.`;
    throw new ApiError('BAD_REQUEST', msg, extra);
  }
}

/** A place in a channel, whoever may write there. */
export async function addressInChannel(
  tx: Tx,
  realm: Realm,
  channel: ChannelRow,
  topicName: string,
  rules: Rules,
): Promise<Address> {
  const topic = await getTopic(tx, channel.id, topicName);
  const { conversationHeads } = tables;
  const [head] = await tx
    .select({ firstMessageId: conversationHeads.firstMessageId })
    .from(conversationHeads)
    .where(eq(conversationHeads.conversationId, channel.conversationId));
  return {
    conversationId: channel.conversationId,
    channelId: channel.id,
    topicId: topic.id,
    subject: topic.name,
    displayRecipient: channel.name,
    people: null,
    isPublic: !channel.isPrivate,
    isArchived: channel.isArchived,
    newTo:
      head?.firstMessageId === null
        ? { channel, watchers: await watchersOf(tx, realm, channel, rules) }
        : null,
    isNewTopic: !(await hasMessages(tx, topic.id)),
  };
}

async function hasMessages(tx: Tx, topicId: number): Promise<boolean> {
  const [found] = await tx.execute(sql`select from messages where topic_id = ${topicId} limit 1`);
  return found !== undefined;
}

async function directAddress(
  tx: Tx,
  actor: Actor,
  named: number[] | string[],
  rules: Rules,
): Promise<Address> {
  const others = await getRecipients(tx, actor, named);
  await checkMayWriteTo(tx, actor, others, rules);
  return await addressOfPeople(tx, actor, others);
}

/** Refuses whoever may not write to these people now. */
export async function checkMayWriteTo(tx: Tx, actor: Actor, others: UserRow[], rules: Rules): Promise<void> {
  checkDirect(actor, others, rules);
  if (rules.may(actor, 'direct_message_initiator_group')) return;
  if (!(await hasBegun(tx, actor.realm.id, [actor.id, ...others.map(({ id }) => id)]))) {
    throw new ApiError('BAD_REQUEST', 'You do not have permission to initiate direct message conversations.');
  }
}

/** A conversation with people needs someone in it who may have one. Bots talk to anyone, and anyone to bots. */
function checkDirect(actor: Actor, others: UserRow[], rules: Rules): void {
  const isAmongBots = others.every((user) => isBot(user) || user.id === actor.id);
  if (isBot(actor) || isAmongBots) return;
  if ([actor, ...others].some((user) => rules.may(user, 'direct_message_permission_group'))) return;
  throw new ApiError(
    'BAD_REQUEST',
    rules.groupSetting('direct_message_permission_group') === rules.groupId('role:nobody')
      ? 'Direct messages are disabled in this organization.'
      : 'This conversation does not include any users who can authorize it.',
  );
}

/** Whether anything was ever said among some people. */
export async function hasBegun(tx: Tx, realmId: number, named: number[]): Promise<boolean> {
  const people = [...new Set(named)].sort((a, b) => a - b);
  const [found] = await tx.execute(sql`
    select from conversations c join conversation_heads h on h.conversation_id = c.id
    where c.realm_id = ${realmId} and c.people = ${intArray(people)} and h.ordinal > 0`);
  return found !== undefined;
}

/** The conversation of the actor with these others, whoever may write to whom. */
export async function addressOfPeople(tx: Tx, actor: Actor, others: Person[]): Promise<Address> {
  const people = [...new Map([actorRow(actor), ...others].map((user) => [user.id, user])).values()];
  people.sort((a, b) => a.id - b.id);
  const ids = people.map(({ id }) => id);
  return {
    conversationId: await getDirectConversation(tx, actor.realm.id, ids),
    channelId: null,
    topicId: null,
    subject: '',
    displayRecipient: people.map((user) => ({
      id: user.id,
      email: publicEmail(user, actor.realm.host),
      full_name: user.fullName,
      is_mirror_dummy: false,
    })),
    people: ids,
    isPublic: false,
    isArchived: false,
    newTo: null,
    isNewTopic: false,
  };
}

type Person = Pick<UserRow, 'id' | 'email' | 'fullName' | 'emailVisibility'>;

const actorRow = ({ id, email, fullName, emailVisibility }: Actor): Person => ({
  id,
  email,
  fullName,
  emailVisibility,
});

/** The others whom a direct message names; refuses to write to nobody, and to those who are gone. */
export async function getRecipients(tx: Tx, actor: Actor, named: number[] | string[]): Promise<UserRow[]> {
  const ids = named.filter((one) => typeof one === 'number');
  const emails = named.filter((one) => typeof one === 'string');
  const byId = new Map((await listUsers(tx, actor.realm.id, ids)).map((user) => [user.id, user]));
  const byEmail = await listUsersByEmail(tx, actor.realm.id, emails);
  const found = [
    ...ids.map((id) => byId.get(id) ?? refuse(`Invalid user ID ${id}`)),
    ...emails.map((email) => byEmail.get(email.toLowerCase()) ?? refuse(`Invalid email '${email}'`)),
  ];
  const unseen = await listUnseen(
    tx,
    actor,
    found.map(({ id }) => id),
  );
  if (unseen.size > 0) refuse('You do not have permission to access some of the recipients.');
  const gone = found.find(({ isActive, id }) => !isActive && id !== actor.id);
  if (gone) refuse(`'${publicEmail(gone, actor.realm.host)}' is no longer using this service.`);
  return found;
}

function refuse(msg: string): never {
  throw new ApiError('BAD_REQUEST', msg);
}

/** The conversation of a set of people, made with its members' rows if it is their first. */
async function getDirectConversation(tx: Tx, realmId: number, people: number[]): Promise<number> {
  const find = sql`select id from conversations where realm_id = ${realmId} and people = ${intArray(people)}`;
  const [found] = await tx.execute<{ id: number }>(find);
  if (found) return Number(found.id);
  // One statement, so that nobody ever sees the conversation without its members.
  await tx.execute(sql`
    with made as (
      insert into conversations (realm_id, people) values (${realmId}, ${intArray(people)})
      on conflict (realm_id, people) do nothing returning id
    ), head as (
      select found_conversation(${realmId}, id) from made
    ), members as (
      insert into conversation_members (conversation_id, user_id, received)
      select made.id, person, '{[1,)}' from made, unnest(${intArray(people)}) person
    )
    select count(*) from head`);
  const [made] = await tx.execute<{ id: number }>(find);
  if (!made) throw new Error('A conversation that was just made is not there.');
  return Number(made.id);
}
