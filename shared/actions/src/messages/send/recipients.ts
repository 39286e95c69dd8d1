import type { Tx, ChannelRow, UserRow } from '@parley/db';
import { type Actor, isGuest, isBot, intArray } from '@parley/model';
import * as model from '@parley/model';
import { ApiError, emptyTopicDisplayName } from '@parley/protocol';
import { sql } from 'drizzle-orm';

/** The recipient of a message: a topic of a channel by id or name, or users by ids or email addresses. */
export type Recipient =
  | { type: 'channel'; channel: number | string; topic: string }
  | { type: 'direct'; users: number[] | string[] };

/**
 * Parses a recipient's topic to the form that is stored.
 *
 * @throws BAD_REQUEST for a topic with unprintable characters
 */
export const parseRecipient = (recipient: Recipient): Recipient =>
  recipient.type === 'channel'
    ? { ...recipient, topic: model.messages.parseTopicName(recipient.topic) }
    : recipient;

/**
 * Refuses an actor who may not write in a channel.
 *
 * @throws BAD_REQUEST saying why
 */
export async function assertMayPost(
  tx: Tx,
  actor: Actor,
  access: model.access.ChannelAccess,
  rules: model.permissions.Rules,
): Promise<void> {
  const { channel, isSubscribed } = access;
  // Everyone may read a web-public channel, but a guest writes only where they are subscribed.
  if (
    channel.isArchived ||
    !model.access.mayReadChannel(actor, access, rules) ||
    (isGuest(actor) && !isSubscribed)
  ) {
    // An actor who may not see the channel does not learn its name.
    const which = model.access.maySeeChannel(actor, access, rules)
      ? `channel '${channel.name}'`
      : 'this channel';
    throw new ApiError('BAD_REQUEST', `You do not have permission to post in ${which}.`);
  }
  if (
    !model.access.maySendToChannel(actor, access, rules) &&
    !(await mayOwnerSend(tx, actor, access, rules))
  ) {
    throw new ApiError('BAD_REQUEST', 'You do not have permission to post in this channel.');
  }
}

/** Returns whether the actor is a bot whose owner may write in the channel: then the bot may, too. */
export async function mayOwnerSend(
  tx: Tx,
  actor: Actor,
  access: model.access.ChannelAccess,
  rules: model.permissions.Rules,
): Promise<boolean> {
  if (actor.botOwnerId === null) return false;
  const [owner] = await model.users.listUsers(tx, actor.realm.id, [actor.botOwnerId]);
  return owner !== undefined && owner.isActive && model.access.maySendToChannel(owner, access, rules);
}

/**
 * Refuses a topic that the channel's policy on empty topics forbids, for messages that are sent or moved there.
 *
 * @throws BAD_REQUEST naming the empty topic
 */
export function assertTopicAllowed(
  { topicsPolicy }: ChannelRow,
  topic: string,
  rules: model.permissions.Rules,
): void {
  const policy = topicsPolicy === 'inherit' ? rules.settings.topics_policy : topicsPolicy;
  const extra = { empty_topic_display_name: emptyTopicDisplayName };
  if (policy === 'disable_empty_topic' && topic === '') {
    const msg = `This channel does not accept messages in ${emptyTopicDisplayName}. Choose a topic.`;
    throw new ApiError('BAD_REQUEST', msg, extra);
  }
  if (policy === 'empty_topic_only' && topic !== '') {
    const msg = `This channel accepts messages only in ${emptyTopicDisplayName}.`;
    throw new ApiError('BAD_REQUEST', msg, extra);
  }
}

/**
 * Refuses an actor who may not write to these users.
 *
 * @throws BAD_REQUEST saying why
 */
export async function assertMayWriteTo(
  tx: Tx,
  actor: Actor,
  others: UserRow[],
  rules: model.permissions.Rules,
): Promise<void> {
  assertDirectAllowed(actor, others, rules);
  if (rules.may(actor, 'direct_message_initiator_group')) return;
  if (!(await hasDirectMessages(tx, actor.realm.id, [actor.id, ...others.map(({ id }) => id)]))) {
    throw new ApiError('BAD_REQUEST', 'You do not have permission to start direct message conversations.');
  }
}

/**
 * Refuses a direct conversation in which nobody has the permission for direct messages. Bots may write to anyone, and
 * anyone to bots.
 */
function assertDirectAllowed(actor: Actor, others: UserRow[], rules: model.permissions.Rules): void {
  const isAmongBots = others.every((user) => isBot(user) || user.id === actor.id);
  if (isBot(actor) || isAmongBots) return;
  if ([actor, ...others].some((user) => rules.may(user, 'direct_message_permission_group'))) return;
  throw new ApiError(
    'BAD_REQUEST',
    rules.groupSetting('direct_message_permission_group') === rules.groupId('role:nobody')
      ? 'Direct messages are turned off in this organization.'
      : 'This conversation needs somebody whose permission allows it.',
  );
}

/** Returns whether a message was ever sent in the direct conversation of these users. */
export async function hasDirectMessages(tx: Tx, realmId: number, userIds: number[]): Promise<boolean> {
  const people = [...new Set(userIds)].sort((a, b) => a - b);
  const [conversation] = await tx.execute(sql`
    select from conversations c join conversation_heads h on h.realm_id = c.realm_id and h.conversation_id = c.id
    where c.realm_id = ${realmId} and c.people = ${intArray(people)} and h.ordinal > 0`);
  return conversation !== undefined;
}

/**
 * Returns the users to whom a direct message is addressed.
 *
 * @throws BAD_REQUEST for a user who does not exist, whom the actor may not see, or who is deactivated
 */
export async function getRecipients(
  tx: Tx,
  actor: Actor,
  recipients: number[] | string[],
): Promise<UserRow[]> {
  const ids = recipients.filter((recipient) => typeof recipient === 'number');
  const emails = recipients.filter((recipient) => typeof recipient === 'string');
  const byId = new Map((await model.users.listUsers(tx, actor.realm.id, ids)).map((user) => [user.id, user]));
  const byEmail = await model.users.listUsersByEmail(tx, actor, emails);
  const users = [
    ...ids.map((id) => byId.get(id) ?? refuse(`There is no user with the id ${id}.`)),
    ...emails.map(
      (email) =>
        byEmail.get(email.toLowerCase()) ?? refuse(`There is no user with the email address '${email}'.`),
    ),
  ];
  const inaccessible = await model.access.inaccessibleUserIds(
    tx,
    actor,
    users.map(({ id }) => id),
  );
  if (inaccessible.size > 0)
    refuse('Some of the recipients do not exist, or you do not have access to them.');
  const deactivated = users.find(({ isActive, id }) => !isActive && id !== actor.id);
  if (deactivated)
    refuse(
      `'${model.users.publicEmail(deactivated, actor.realm.emailDomain)}' has a deactivated account and cannot receive messages.`,
    );
  return users;
}

function refuse(msg: string): never {
  throw new ApiError('BAD_REQUEST', msg);
}
