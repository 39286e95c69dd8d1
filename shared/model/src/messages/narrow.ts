import type { Tx } from '@parley/db';
import { ApiError } from '@parley/protocol';
import { type SQL, sql } from 'drizzle-orm';

import { maySeeChannel, mayReadChannelHistory } from '../access/channel-permissions.ts';
import type { ChannelAccess } from '../access/channel-permissions.ts';
import { findChannel } from '../access/channels.ts';
import { findMessage } from '../access/messages.ts';
import { type Actor, isGuest } from '../actor.ts';
import { intArray } from '../ids.ts';
import { getRules } from '../permissions/rules.ts';
import { listUsers, listUsersByEmail } from '../users/find.ts';
import { type Search, parseSearch, searchCondition } from './search.ts';
import { parseTopicName } from './text.ts';
import { messageUnreadCondition } from './unread.ts';

export type NarrowOperand = string | number | number[];

export interface NarrowTerm {
  operator: string;
  operand: NarrowOperand;
  negated: boolean;
}

/** A narrow as conditions on `m`, `c`, `h` and `k` (see joinReader). */
export interface ResolvedNarrow {
  conditions: SQL[];
  /** False: only what the reader received. True: all history of channels that the reader may read. */
  isWholeHistory: boolean;
  /** Whether a condition finds its messages by an index of its own. */
  isSelective: boolean;
  /** Whether nothing but unread messages can be meant. */
  isUnreadOnly: boolean;
  /** Which of the reader's conversations can hold what is looked for. */
  conversationScope: 'all' | 'direct';
  /** Mutes count, but not where one looks at people alone. */
  ignoresMutes: boolean;
  search: Search | null;
}

const aliases: Record<string, string> = {
  stream: 'channel',
  streams: 'channels',
  'pm-with': 'dm',
  'pm-including': 'dm-including',
};

const badNarrow = (desc: string) => new ApiError('BAD_NARROW', `Invalid narrow operator: ${desc}`, { desc });

const directOperators = new Set(['dm', 'dm-including', 'group-pm-with']);

const channelOperators = new Set(['channel', 'topic', 'channels']);

/** Conditions for a narrow (reference/endpoints.md 1, Narrow operators). Refuses what it cannot resolve. */
export async function resolveNarrow(
  tx: Tx,
  actor: Actor,
  narrow: readonly NarrowTerm[],
): Promise<ResolvedNarrow> {
  const terms = await resolveWithOperator(
    tx,
    actor,
    narrow.map((term) => ({ ...term, operator: aliases[term.operator] ?? term.operator })),
  );
  assertNotChannelAndDirect(terms);
  const words = terms.filter(({ operator, negated }) => operator === 'search' && !negated);
  const search =
    words.length > 0 ? parseSearch(words.map(({ operand }) => parseSearchText(operand)).join(' ')) : null;
  const scope: ResolvedNarrow = {
    conditions: search ? [await searchCondition(tx, actor.realm.id, search)] : [],
    isWholeHistory: false,
    isSelective: search !== null,
    isUnreadOnly: false,
    conversationScope: 'all',
    ignoresMutes: terms.some(({ operator }) => directOperators.has(operator)) || terms.some(isDirect),
    search,
  };
  const channel = await findOnlyChannel(tx, actor, terms);
  let isOwnRowsOnly = false;
  for (const term of terms) {
    const { operator, operand, negated } = term;
    if (operator === 'search' && !negated) continue;
    const resolve = Object.hasOwn(operators, operator) ? operators[operator] : undefined;
    if (!resolve) throw badNarrow(`unknown operator ${operator}`);
    const { condition, isWholeHistory, isSelective, isUnreadOnly } = await resolve(
      tx,
      actor,
      operand,
      channel,
    );
    if (isWholeHistory && !negated) scope.isWholeHistory = true;
    if (isSelective && !negated) scope.isSelective = true;
    if (isUnreadOnly && !negated) scope.isUnreadOnly = true;
    if (operator === 'is' && operand !== 'resolved') isOwnRowsOnly = true;
    if (isDirect(term)) scope.conversationScope = 'direct';
    scope.conditions.push(negated ? sql`(${condition}) is not true` : condition);
  }
  if (isOwnRowsOnly) scope.isWholeHistory = false;
  return scope;
}

const isDirect = ({ operator, operand, negated }: NarrowTerm) =>
  operator === 'is' && (operand === 'dm' || operand === 'private') && !negated;

function assertNotChannelAndDirect(terms: readonly NarrowTerm[]): void {
  const positive = terms.filter(({ negated }) => !negated);
  const isOf = (kinds: ReadonlySet<string>) => positive.some(({ operator }) => kinds.has(operator));
  if (isOf(channelOperators) && (isOf(directOperators) || positive.some(isDirect))) {
    throw badNarrow('No message can be both a channel message and direct message');
  }
}

function parseSearchText(operand: NarrowOperand): string {
  if (typeof operand !== 'string' || operand.trim() === '') throw badNarrow('invalid search');
  return operand;
}

/** `with` stands for the conversation in which its message is now, and takes the place of what named it before. */
async function resolveWithOperator(tx: Tx, actor: Actor, terms: NarrowTerm[]): Promise<NarrowTerm[]> {
  const [one, ...more] = terms.filter(({ operator }) => operator === 'with');
  if (!one) return terms;
  if (more.length > 0 || one.negated) {
    const desc = more.length > 0 ? "Duplicate 'with' operators." : "Invalid 'with' operator";
    throw new ApiError('BAD_NARROW', `Invalid narrow operator combination: ${desc}`, { desc });
  }
  const others = terms.filter((term) => term !== one);
  const found = await findMessage(tx, actor, parseMessageId(one.operand));
  if (!found) {
    const names = new Set(others.filter(({ negated }) => !negated).map(({ operator }) => operator));
    if (names.has('dm') || (names.has('channel') && names.has('topic'))) return others;
    throw badNarrow("Invalid 'with' operator");
  }
  const rest = others.filter(({ operator }) => !['channel', 'topic', 'dm'].includes(operator));
  const term = (operator: string, operand: NarrowOperand) => ({ operator, operand, negated: false });
  if (found.channel && found.topic) {
    return [term('channel', found.channel.channel.id), term('topic', found.topic.name), ...rest];
  }
  return [term('dm', found.people ?? []), ...rest];
}

/** The channel that the narrow names, if it names one: topics are looked for there alone. */
async function findOnlyChannel(
  tx: Tx,
  actor: Actor,
  terms: readonly NarrowTerm[],
): Promise<ChannelAccess | null> {
  const [one] = terms.filter(({ operator, negated }) => operator === 'channel' && !negated);
  return one ? await getChannel(tx, actor, one.operand) : null;
}

async function getChannel(tx: Tx, actor: Actor, operand: NarrowOperand): Promise<ChannelAccess> {
  if (Array.isArray(operand)) throw badNarrow('invalid channel');
  const access = await findChannel(tx, actor, operand);
  // A channel that the reader does not see looks like one that does not exist.
  if (!access || !maySeeChannel(actor, access, await getRules(tx, actor.realm.id))) {
    throw badNarrow(`unknown channel ${operand}`);
  }
  return access;
}

interface ResolvedTerm {
  condition: SQL;
  isWholeHistory?: boolean;
  isSelective?: boolean;
  isUnreadOnly?: boolean;
}

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

/** In a channel or topic that the reader mutes. */
const mutedPlaceCondition = (
  actor: Actor,
) => sql`(m.channel_id is not null and (${topicPolicyCondition(actor, 1)}
  or (k.is_muted is true and not ${topicPolicyCondition(actor, 2)} and not ${topicPolicyCondition(actor, 3)})))`;

const operators: Record<string, ResolveTerm> = {
  async channel(tx, actor, operand) {
    const access = await getChannel(tx, actor, operand);
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
    // One topic, or none: as a value, it is found by its index, in order.
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
    const found = pickCondition(operand, {
      dm: direct,
      private: direct,
      unread: { condition: messageUnreadCondition(actor), isSelective: true, isUnreadOnly: true },
      resolved: { condition: sql`m.topic_id in (select id from topics where name like '✔ %')` },
      starred: { condition: flagCondition(actor, sql`starred`), isSelective: true },
      mentioned: {
        condition: sql`(${flagCondition(actor, sql`(mentioned or topic_wildcard_mentioned)`)}
          or (m.mentions_channel and m.ordinal <@ c.received))`,
      },
      alerted: { condition: flagCondition(actor, sql`has_alert_word`), isSelective: true },
      followed: { condition: topicPolicyCondition(actor, 3), isSelective: true },
      muted: { condition: mutedPlaceCondition(actor) },
    });
    if (!found) throw badNarrow(`unknown 'is' operand ${String(operand)}`);
    return found;
  },
  async has(_tx, _actor, operand) {
    const found = pickCondition(operand, {
      link: { condition: sql`m.has_link`, isSelective: true },
      image: { condition: sql`m.has_image`, isSelective: true },
      attachment: { condition: sql`m.has_attachment`, isSelective: true },
      reaction: { condition: sql`exists (select from reactions r where r.message_id = m.id)` },
    });
    if (!found) throw badNarrow(`unknown 'has' operand ${String(operand)}`);
    return found;
  },
  async in(_tx, actor, operand) {
    if (operand === 'all') return { condition: sql`true` };
    if (operand === 'home') return { condition: sql`not ${mutedPlaceCondition(actor)}` };
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

const conversationsWith = (actor: Actor, userId: number) => sql`
  select d.id from conversations d
  join conversation_members own on own.conversation_id = d.id and own.user_id = ${actor.id}
  where d.people @> array[${userId}::int] and d.realm_id = ${actor.realm.id}`;

async function getUser(tx: Tx, actor: Actor, operand: NarrowOperand) {
  const found =
    typeof operand === 'number'
      ? (await listUsers(tx, actor.realm.id, [operand]))[0]
      : (await listUsersByEmail(tx, actor.realm.id, [String(operand)])).get(String(operand).toLowerCase());
  if (!found) throw badNarrow(`unknown user ${String(operand)}`);
  return found;
}

async function getPeople(tx: Tx, actor: Actor, operand: NarrowOperand): Promise<number[]> {
  if (typeof operand === 'string') {
    const emails = operand.split(',').map((email) => email.trim());
    const found = await listUsersByEmail(tx, actor.realm.id, emails);
    return emails.map((email) => {
      const user = found.get(email.toLowerCase());
      if (!user) throw badNarrow(`unknown user in ${operand}`);
      return user.id;
    });
  }
  const ids = Array.isArray(operand) ? operand : [operand];
  const found = await listUsers(tx, actor.realm.id, ids);
  if (found.length < new Set(ids).size) throw badNarrow(`unknown user in [${ids.join(', ')}]`);
  return ids;
}

const messageIdMax = 2_147_483_647;

function parseMessageId(operand: NarrowOperand): number {
  const id = typeof operand === 'string' && /^\d{1,10}$/.test(operand) ? Number(operand) : operand;
  if (typeof id !== 'number' || id < 0 || id > messageIdMax) throw badNarrow('Invalid message ID');
  return id;
}
