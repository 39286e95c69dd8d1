import type { Tx } from '@parley/db';
import { ApiError, resolvedPrefix } from '@parley/protocol';
import { type SQL, sql } from 'drizzle-orm';

import { type ChannelAccess, maySeeChannel, mayReadChannelHistory } from '../access/channel-permissions.ts';
import { findChannel } from '../access/channels.ts';
import { type Actor, isGuest } from '../actor.ts';
import { intArray } from '../ids.ts';
import { getRules } from '../permissions/rules.ts';
import { topicPolicies } from '../user-topics/policies.ts';
import { listUsers, listUsersByEmail } from '../users/find.ts';
import { parseSearch, searchCondition } from './search.ts';
import { parseTopicName } from './text.ts';
import { messageUnreadCondition } from './unread.ts';

export type NarrowOperand = string | number | number[];

export const badNarrow = (desc: string) =>
  new ApiError('BAD_NARROW', `Invalid narrow operator: ${desc}`, { desc });

/** One term of a narrow as a condition, and the facts about it that ResolvedNarrow collects. */
interface ResolvedTerm {
  condition: SQL;
  isWholeHistory?: boolean;
  isSelective?: boolean;
  isUnreadOnly?: boolean;
}

/** `channel` is the channel that the narrow names, if it names one. */
type ResolveTerm = (
  tx: Tx,
  actor: Actor,
  operand: NarrowOperand,
  channel: ChannelAccess | null,
) => Promise<ResolvedTerm>;

const pickCondition = (operand: NarrowOperand, conditions: Record<string, ResolvedTerm>) =>
  Object.hasOwn(conditions, String(operand)) ? conditions[String(operand)] : undefined;

const flagCondition = (actor: Actor, where: SQL) => sql`m.id in (
  select message_id from message_flags where user_id = ${actor.id} and ${where})`;

const topicPolicyCondition = (actor: Actor, policy: number) => sql`m.topic_id in (
  select topic_id from user_topics where user_id = ${actor.id} and policy = ${policy})`;

/** A condition: the message is in a channel or topic that the reader mutes. */
function mutedCondition(actor: Actor): SQL {
  const hasPolicy = (policy: number) => topicPolicyCondition(actor, policy);
  return sql`(m.channel_id is not null and (${hasPolicy(topicPolicies.muted)} or (k.is_muted is true
    and not ${hasPolicy(topicPolicies.unmuted)} and not ${hasPolicy(topicPolicies.followed)})))`;
}

/** The operators of narrows that become a condition, by name. */
export const narrowOperators: Record<string, ResolveTerm> = {
  async channel(tx, actor, operand) {
    const access = await getNarrowChannel(tx, actor, operand);
    return {
      condition: sql`m.channel_id = ${access.channel.id}`,
      isWholeHistory: mayReadChannelHistory(actor, access, await getRules(tx, actor.realm.id)),
      isSelective: true,
    };
  },
  async channels(_tx, actor, operand) {
    if (operand !== 'public' && operand !== 'web-public') {
      throw badNarrow(`unknown channels operand ${String(operand)}`);
    }
    const isOpen = operand === 'web-public' || isGuest(actor) ? sql`is_web_public` : sql`not is_private`;
    const condition = sql`m.channel_id in (
      select id from channels where realm_id = ${actor.realm.id} and ${isOpen})`;
    return { condition, isWholeHistory: true };
  },
  async topic(_tx, actor, operand, channel) {
    const name = parseTopicName(String(operand));
    const inChannels = channel
      ? sql`channel_id = ${channel.channel.id}`
      : sql`channel_id in (select id from channels where realm_id = ${actor.realm.id})`;
    const ids = sql`select id from topics where ${inChannels} and lower(name) = lower(${name})`;
    // There is at most one topic. Compared with `=`, its messages come from its index in their order.
    return {
      condition: channel ? sql`m.topic_id = (${ids})` : sql`m.topic_id in (${ids})`,
      isSelective: true,
    };
  },
  async sender(tx, actor, operand) {
    return { condition: sql`m.sender_id = ${(await getUser(tx, actor, operand)).id}`, isSelective: true };
  },
  async dm(tx, actor, operand) {
    const people = await getPeople(tx, actor, operand);
    const ids = [...new Set([actor.id, ...people])].sort((a, b) => a - b);
    const condition = sql`m.conversation_id = (
      select id from conversations where realm_id = ${actor.realm.id} and people = ${intArray(ids)})`;
    return { condition, isSelective: true };
  },
  async 'dm-including'(tx, actor, operand) {
    const user = await getUser(tx, actor, operand);
    return { condition: sql`m.conversation_id in (${conversationsWith(actor, user.id)})`, isSelective: true };
  },
  async 'group-pm-with'(tx, actor, operand) {
    const user = await getUser(tx, actor, operand);
    const ofGroups = sql`${conversationsWith(actor, user.id)} and cardinality(d.people) > 2`;
    return { condition: sql`m.conversation_id in (${ofGroups})`, isSelective: true };
  },
  async is(_tx, actor, operand) {
    const direct = { condition: sql`m.channel_id is null` };
    const term = pickCondition(operand, {
      dm: direct,
      private: direct,
      unread: { condition: messageUnreadCondition(actor), isSelective: true, isUnreadOnly: true },
      resolved: {
        condition: sql`m.topic_id in (select id from topics where name like ${`${resolvedPrefix}%`})`,
      },
      starred: { condition: flagCondition(actor, sql`starred`), isSelective: true },
      mentioned: {
        condition: sql`(${flagCondition(actor, sql`(mentioned or topic_wildcard_mentioned)`)}
          or (m.mentions_channel and m.ordinal <@ c.received))`,
      },
      alerted: { condition: flagCondition(actor, sql`has_alert_word`), isSelective: true },
      followed: { condition: topicPolicyCondition(actor, topicPolicies.followed), isSelective: true },
      muted: { condition: mutedCondition(actor) },
    });
    if (!term) throw badNarrow(`unknown 'is' operand ${String(operand)}`);
    return term;
  },
  async has(_tx, _actor, operand) {
    const term = pickCondition(operand, {
      link: { condition: sql`m.has_link`, isSelective: true },
      image: { condition: sql`m.has_image`, isSelective: true },
      attachment: { condition: sql`m.has_attachment`, isSelective: true },
      reaction: { condition: sql`exists (select from reactions r where r.message_id = m.id)` },
    });
    if (!term) throw badNarrow(`unknown 'has' operand ${String(operand)}`);
    return term;
  },
  async in(_tx, actor, operand) {
    if (operand === 'all') return { condition: sql`true` };
    if (operand === 'home') return { condition: sql`not ${mutedCondition(actor)}` };
    throw badNarrow(`unknown 'in' operand ${String(operand)}`);
  },
  async id(_tx, _actor, operand) {
    return { condition: sql`m.id = ${parseMessageId(operand)}`, isSelective: true };
  },
  async near(_tx, _actor, operand) {
    parseMessageId(operand);
    return { condition: sql`true` };
  },
  async search(tx, actor, operand) {
    return { condition: await searchCondition(tx, actor.realm.id, parseSearch(parseSearchText(operand))) };
  },
};

/** The ids of direct message conversations of the actor and another user. */
const conversationsWith = (actor: Actor, userId: number) => sql`
  select d.id from conversations d
  join conversation_members own on own.conversation_id = d.id and own.user_id = ${actor.id}
  where d.people @> array[${userId}::int] and d.realm_id = ${actor.realm.id}`;

async function getUser(tx: Tx, actor: Actor, operand: NarrowOperand) {
  const user =
    typeof operand === 'number'
      ? (await listUsers(tx, actor.realm.id, [operand]))[0]
      : (await listUsersByEmail(tx, actor.realm.id, [String(operand)])).get(String(operand).toLowerCase());
  if (!user) throw badNarrow(`unknown user ${String(operand)}`);
  return user;
}

async function getPeople(tx: Tx, actor: Actor, operand: NarrowOperand): Promise<number[]> {
  if (typeof operand === 'string') {
    const emails = operand.split(',').map((email) => email.trim());
    const usersByEmail = await listUsersByEmail(tx, actor.realm.id, emails);
    return emails.map((email) => {
      const user = usersByEmail.get(email.toLowerCase());
      if (!user) throw badNarrow(`unknown user in ${operand}`);
      return user.id;
    });
  }
  const ids = Array.isArray(operand) ? operand : [operand];
  const users = await listUsers(tx, actor.realm.id, ids);
  if (users.length < new Set(ids).size) throw badNarrow(`unknown user in [${ids.join(', ')}]`);
  return ids;
}

const messageIdMax = 2_147_483_647;

/** @throws BAD_NARROW for an operand that is not an id */
export function parseMessageId(operand: NarrowOperand): number {
  const id = typeof operand === 'string' && /^\d{1,10}$/.test(operand) ? Number(operand) : operand;
  if (typeof id !== 'number' || id < 0 || id > messageIdMax) throw badNarrow('Invalid message ID');
  return id;
}

/** @throws BAD_NARROW for an operand that is not a text */
export function parseSearchText(operand: NarrowOperand): string {
  if (typeof operand !== 'string' || operand.trim() === '') throw badNarrow('invalid search');
  return operand;
}

/** @throws BAD_NARROW for a channel that does not exist or that the actor may not see */
export async function getNarrowChannel(tx: Tx, actor: Actor, operand: NarrowOperand): Promise<ChannelAccess> {
  if (Array.isArray(operand)) throw badNarrow('invalid channel');
  const access = await findChannel(tx, actor, operand);
  // A channel that the reader may not see is refused like one that does not exist.
  if (!access || !maySeeChannel(actor, access, await getRules(tx, actor.realm.id))) {
    throw badNarrow(`unknown channel ${operand}`);
  }
  return access;
}
