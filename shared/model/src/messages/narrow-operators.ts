import { resolvedPrefix } from '@parley/protocol';
import { type SQL, sql } from 'drizzle-orm';

import { type ChannelAccess, mayReadChannelHistory } from '../access/channel-permissions.ts';
import { type Actor, isGuest } from '../actor.ts';
import { intArray } from '../ids.ts';
import { topicPolicies } from '../user-topics/policies.ts';
import {
  type NarrowNames,
  type NarrowOperand,
  badNarrow,
  parseMessageId,
  parseSearchText,
} from './narrow-names.ts';
import { parseSearch } from './search/parse.ts';
import { parseTopicName } from './text.ts';
import { messageUnreadCondition } from './unread.ts';

/** One term of a narrow as a condition, and the facts about it that ResolvedNarrow collects. */
export interface ResolvedTerm {
  condition: SQL;
  isWholeHistory?: boolean;
  isSelective?: boolean;
  isUnreadOnly?: boolean;
  /** Whether an index has its messages in the order of their ids. It is a condition on `m` alone. */
  isInOrder?: boolean;
  /** A condition on the reader's `message_flags`, whose messages come in the order of their ids, too. */
  flagged?: SQL;
  /** The conversations in which its messages were sent. */
  inConversations?: SQL;
  /** The key that its messages have in the index of searches. */
  place?: string;
}

/** What a term is resolved by. It is known before, so that no term costs a statement. */
interface TermContext {
  actor: Actor;
  names: NarrowNames;
  /** The channel that the narrow names, if it names one. */
  channel: ChannelAccess | null;
}

/** @throws BAD_NARROW for an operand that the operator does not take */
type ResolveTerm = (context: TermContext, operand: NarrowOperand) => ResolvedTerm;

const pickCondition = (operand: NarrowOperand, conditions: Record<string, ResolvedTerm>) =>
  Object.hasOwn(conditions, String(operand)) ? conditions[String(operand)] : undefined;

const flagCondition = (actor: Actor, where: SQL) => sql`m.id in (
  select message_id from message_flags
  where realm_id = ${actor.realm.id} and user_id = ${actor.id} and ${where})`;

const flagged = (actor: Actor, where: SQL) => ({
  condition: flagCondition(actor, where),
  isSelective: true,
  flagged: where,
});

const topicPolicyCondition = (actor: Actor, policy: number) => sql`m.topic_id in (
  select topic_id from user_topics where realm_id = ${actor.realm.id} and user_id = ${actor.id} and policy = ${policy})`;

/** A condition: the message is in a channel or topic that the reader mutes. */
function mutedCondition(actor: Actor): SQL {
  const hasPolicy = (policy: number) => topicPolicyCondition(actor, policy);
  return sql`(m.channel_id is not null and (${hasPolicy(topicPolicies.muted)} or (k.is_muted is true
    and not ${hasPolicy(topicPolicies.unmuted)} and not ${hasPolicy(topicPolicies.followed)})))`;
}

/** The operators of narrows that become a condition, by name. */
export const narrowOperators: Record<string, ResolveTerm> = {
  channel({ actor, names }, operand) {
    const access = names.getChannel(operand);
    return {
      condition: sql`m.channel_id = ${access.channel.id}`,
      isWholeHistory: mayReadChannelHistory(actor, access, names.rules),
      isSelective: true,
      isInOrder: true,
      inConversations: conversationsOfChannel(actor, access.channel),
      place: `~c${access.channel.id}`,
    };
  },
  channels({ actor }, operand) {
    if (operand !== 'public' && operand !== 'web-public') {
      throw badNarrow(`'channels' cannot be '${String(operand)}'`);
    }
    const isOpen = operand === 'web-public' || isGuest(actor) ? sql`h.is_web_public` : sql`not h.is_private`;
    return { condition: sql`(h.id is not null and ${isOpen})`, isWholeHistory: true };
  },
  topic({ actor, channel }, operand) {
    const name = parseTopicName(String(operand));
    const inChannels = channel
      ? sql`channel_id = ${channel.channel.id}`
      : sql`channel_id in (select id from channels where realm_id = ${actor.realm.id})`;
    const ids = sql`select id from topics where realm_id = ${actor.realm.id} and ${inChannels} and lower(name) = lower(${name})`;
    // There is at most one topic. Compared with `=`, its messages come from its index in their order.
    return {
      condition: channel ? sql`m.topic_id = (${ids})` : sql`m.topic_id = any(array(${ids}))`,
      isSelective: true,
      isInOrder: channel !== null,
    };
  },
  sender({ names }, operand) {
    const id = names.getUserId(operand);
    return { condition: sql`m.sender_id = ${id}`, isSelective: true, isInOrder: true, place: `~s${id}` };
  },
  dm({ actor, names }, operand) {
    const ids = [...new Set([actor.id, ...names.getUserIds(operand)])].sort((a, b) => a - b);
    const conversation = sql`(
      select id from conversations where realm_id = ${actor.realm.id} and people = ${intArray(ids)})`;
    return {
      condition: sql`m.conversation_id = ${conversation}`,
      isSelective: true,
      isInOrder: true,
      inConversations: sql`c.conversation_id = ${conversation}`,
      place: '~d',
    };
  },
  'dm-including'({ actor, names }, operand) {
    const withUser = conversationsWith(actor, names.getUserId(operand));
    return { condition: sql`m.conversation_id in (${withUser})`, isSelective: true };
  },
  'group-pm-with'({ actor, names }, operand) {
    const ofGroups = sql`${conversationsWith(actor, names.getUserId(operand))} and cardinality(d.people) > 2`;
    return { condition: sql`m.conversation_id in (${ofGroups})`, isSelective: true };
  },
  is({ actor }, operand) {
    const direct = { condition: sql`m.channel_id is null`, place: '~d' };
    const isNamed = flagCondition(actor, sql`(mentioned or topic_wildcard_mentioned)`);
    const term = pickCondition(operand, {
      dm: direct,
      private: direct,
      unread: { condition: messageUnreadCondition(actor), isSelective: true, isUnreadOnly: true },
      resolved: {
        condition: sql`m.topic_id in (
          select t.id from channels r cross join lateral (
            select id from topics where realm_id = ${actor.realm.id} and channel_id = r.id and name like ${`${resolvedPrefix}%`} offset 0
          ) t where r.realm_id = ${actor.realm.id})`,
      },
      starred: flagged(actor, sql`starred`),
      mentioned: {
        // The first half is decided before anything is looked up for the message.
        condition: sql`((${isNamed} or m.mentions_channel)
          and (${isNamed} or (m.mentions_channel and m.ordinal <@ c.received)))`,
      },
      alerted: flagged(actor, sql`has_alert_word`),
      followed: { condition: topicPolicyCondition(actor, topicPolicies.followed), isSelective: true },
      muted: { condition: mutedCondition(actor) },
    });
    if (!term) throw badNarrow(`'is' cannot be '${String(operand)}'`);
    return term;
  },
  has({ actor }, operand) {
    const term = pickCondition(operand, {
      link: { condition: sql`m.has_link`, isInOrder: true },
      image: { condition: sql`m.has_image`, isInOrder: true },
      attachment: { condition: sql`m.has_attachment`, isInOrder: true },
      reaction: {
        condition: sql`exists (
          select from reactions where realm_id = ${actor.realm.id} and message_id = m.id offset 0)`,
      },
    });
    if (!term) throw badNarrow(`'has' cannot be '${String(operand)}'`);
    return term;
  },
  in({ actor }, operand) {
    if (operand === 'all') return { condition: sql`true` };
    if (operand === 'home') return { condition: sql`not ${mutedCondition(actor)}` };
    throw badNarrow(`'in' cannot be '${String(operand)}'`);
  },
  id(_context, operand) {
    return { condition: sql`m.id = ${parseMessageId(operand)}`, isSelective: true };
  },
  near(_context, operand) {
    parseMessageId(operand);
    return { condition: sql`true` };
  },
  search({ names }, operand) {
    return { condition: names.prepareSearch(parseSearch(parseSearchText(operand))).condition };
  },
};

/** A condition on `c`: what is in the channel now was sent to it, unless something has been moved there. */
const conversationsOfChannel = ({ realm }: Actor, { id, conversationId }: ChannelAccess['channel']) => sql`
  (c.conversation_id = ${conversationId} or exists (
    select from message_moves v
    where v.realm_id = ${realm.id} and v.channel_id = ${id} and v.prev_channel_id <> ${id}))`;

/** The ids of direct message conversations of the actor and another user. */
const conversationsWith = (actor: Actor, userId: number) => sql`
  select d.id from conversations d
  join conversation_members own on own.realm_id = d.realm_id and own.conversation_id = d.id and own.user_id = ${actor.id}
  where d.people @> array[${userId}::int] and d.realm_id = ${actor.realm.id}`;
