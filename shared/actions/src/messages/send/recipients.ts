import type { Tx, ChannelRow, UserRow } from '@parley/db';
import {
  type Actor,
  type ChannelAccess,
  type Rules,
  mayReadChannel,
  isGuest,
  maySeeChannel,
  maySendToChannel,
  listUsers,
  isBot,
  intArray,
  listUsersByEmail,
  inaccessibleUserIds,
  parseTopicName,
  publicEmail,
} from '@parley/model';
import { ApiError, emptyTopicDisplayName } from '@parley/protocol';
import { sql } from 'drizzle-orm';

/** Where a message is to go: a channel by id or name, or people by ids or addresses. */
export type Recipient =
  | { type: 'channel'; channel: number | string; topic: string }
  | { type: 'direct'; users: number[] | string[] };

/**
 * A recipient whose topic is as it is stored.
 *
 * @throws BAD_REQUEST for a topic with characters that nobody can read
 */
export const parseRecipient = (recipient: Recipient): Recipient =>
  recipient.type === 'channel' ? { ...recipient, topic: parseTopicName(recipient.topic) } : recipient;

/** Refuses whoever may not write in a channel now. */
export async function assertMayPost(
  tx: Tx,
  actor: Actor,
  access: ChannelAccess,
  rules: Rules,
): Promise<void> {
  const { channel, isSubscribed } = access;
  // A web-public channel is open to read, but a guest writes only where subscribed.
  if (channel.isArchived || !mayReadChannel(actor, access, rules) || (isGuest(actor) && !isSubscribed)) {
    // Whoever knows its number alone is not told what it is called, nor the other way round.
    const which = maySeeChannel(actor, access, rules) ? `channel '${channel.name}'` : 'this channel';
    throw new ApiError('BAD_REQUEST', `Not authorized to send to ${which}`);
  }
  if (!maySendToChannel(actor, access, rules) && !(await mayOwnerSend(tx, actor, access, rules))) {
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
  return owner !== undefined && owner.isActive && maySendToChannel(owner, access, rules);
}

/** Whether messages may be without a topic, or must be. Also for those that are moved. */
export function assertTopicAllowed({ topicsPolicy }: ChannelRow, topic: string, rules: Rules): void {
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

/** Refuses whoever may not write to these people now. */
export async function assertMayWriteTo(tx: Tx, actor: Actor, others: UserRow[], rules: Rules): Promise<void> {
  assertDirectAllowed(actor, others, rules);
  if (rules.may(actor, 'direct_message_initiator_group')) return;
  if (!(await hasDirectMessages(tx, actor.realm.id, [actor.id, ...others.map(({ id }) => id)]))) {
    throw new ApiError('BAD_REQUEST', 'You do not have permission to initiate direct message conversations.');
  }
}

/** A conversation with people needs someone in it who may have one. Bots talk to anyone, and anyone to bots. */
function assertDirectAllowed(actor: Actor, others: UserRow[], rules: Rules): void {
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
export async function hasDirectMessages(tx: Tx, realmId: number, named: number[]): Promise<boolean> {
  const people = [...new Set(named)].sort((a, b) => a - b);
  const [found] = await tx.execute(sql`
    select from conversations c join conversation_heads h on h.conversation_id = c.id
    where c.realm_id = ${realmId} and c.people = ${intArray(people)} and h.ordinal > 0`);
  return found !== undefined;
}

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
  const unseen = await inaccessibleUserIds(
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
