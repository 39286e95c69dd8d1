import type { Tx } from '@parley/db';
import { ApiError } from '@parley/protocol';
import { type SQL, sql } from 'drizzle-orm';

import type { Actor } from '../actor.ts';
import { isGuest } from '../actor.ts';
import { type ChannelAccess, findChannel } from '../channels/find.ts';
import { mayReadHistory } from '../channels/may.ts';
import { getRules } from '../realms/rules.ts';
import { listUsers, listUsersByEmail } from '../users/find.ts';
import { intArray } from './address.ts';
import { readTopic } from './text.ts';

export type Operand = string | number | number[];

export interface Term {
  operator: string;
  operand: Operand;
  negated: boolean;
}

/** A narrow as conditions on `m` (messages) and `c` (the reader's row of the conversation, which may be missing). */
export interface Scope {
  conditions: SQL[];
  /** False: only what the reader received. True: all history of channels that the reader may read. */
  isWholeHistory: boolean;
}

const aliases: Record<string, string> = {
  stream: 'channel',
  streams: 'channels',
  'pm-with': 'dm',
  'pm-including': 'dm-including',
};

const bad = (desc: string) => new ApiError('BAD_NARROW', `Invalid narrow operator: ${desc}`, { desc });

/** Conditions for a narrow (reference/endpoints.md 1, Narrow operators). Refuses what it cannot resolve. */
export async function scopeOf(tx: Tx, actor: Actor, terms: readonly Term[]): Promise<Scope> {
  const scope: Scope = { conditions: [], isWholeHistory: false };
  let isOwnRowsOnly = false;
  for (const term of terms) {
    const operator = aliases[term.operator] ?? term.operator;
    const resolve = Object.hasOwn(operators, operator) ? operators[operator] : undefined;
    if (!resolve) throw bad(`unknown operator ${term.operator}`);
    const { condition, isWholeHistory } = await resolve(tx, actor, term.operand);
    if (isWholeHistory && !term.negated) scope.isWholeHistory = true;
    if (operator === 'is' && term.operand !== 'resolved') isOwnRowsOnly = true;
    scope.conditions.push(term.negated ? sql`(${condition}) is not true` : condition);
  }
  if (isOwnRowsOnly) scope.isWholeHistory = false;
  return scope;
}

interface Resolved {
  condition: SQL;
  isWholeHistory?: boolean;
}

type Resolve = (tx: Tx, actor: Actor, operand: Operand) => Promise<Resolved>;

export const isUnread = (actor: Actor) =>
  sql`(m.ordinal <@ c.received and not m.ordinal <@ c.read and not m.read_by @> array[${actor.id}::int]
    and (m.unread_for is null or m.unread_for @> array[${actor.id}::int]))`;

const nothing = sql`false`;

const pick = (operand: Operand, conditions: Record<string, SQL>) =>
  Object.hasOwn(conditions, String(operand)) ? conditions[String(operand)] : undefined;

const operators: Record<string, Resolve> = {
  async channel(tx, actor, operand) {
    if (Array.isArray(operand)) throw bad('invalid channel');
    const access = await findChannel(tx, actor, operand);
    if (!access || !isFindable(actor, access)) throw bad(`unknown channel ${operand}`);
    const condition = sql`m.channel_id = ${access.channel.id}`;
    return { condition, isWholeHistory: mayReadHistory(actor, access, await getRules(tx, actor.realm.id)) };
  },
  async channels(_tx, actor, operand) {
    if (operand === 'public' && !isGuest(actor)) {
      const condition = sql`m.channel_id in (
        select id from channels where realm_id = ${actor.realm.id} and not is_private)`;
      return { condition, isWholeHistory: true };
    }
    if (operand === 'web-public' || operand === 'public') {
      const condition = sql`m.channel_id in (
        select id from channels where realm_id = ${actor.realm.id} and is_web_public)`;
      return { condition, isWholeHistory: true };
    }
    throw bad(`unknown channels operand ${String(operand)}`);
  },
  async topic(_tx, _actor, operand) {
    const name = readTopic(String(operand));
    return { condition: sql`m.topic_id in (select id from topics where lower(name) = lower(${name}))` };
  },
  async sender(tx, actor, operand) {
    return { condition: sql`m.sender_id = ${(await getUser(tx, actor, operand)).id}` };
  },
  async dm(tx, actor, operand) {
    const people = await getPeople(tx, actor, operand);
    const ids = [...new Set([actor.id, ...people])].sort((a, b) => a - b);
    return {
      condition: sql`m.conversation_id = (
        select id from conversations where realm_id = ${actor.realm.id} and people = ${intArray(ids)})`,
    };
  },
  async 'dm-including'(tx, actor, operand) {
    const user = await getUser(tx, actor, operand);
    return { condition: sql`m.conversation_id in (${conversationsWith(actor, user.id)})` };
  },
  async 'group-pm-with'(tx, actor, operand) {
    const user = await getUser(tx, actor, operand);
    const ofGroups = sql`${conversationsWith(actor, user.id)} and cardinality(d.people) > 2`;
    return { condition: sql`m.conversation_id in (${ofGroups})` };
  },
  async is(_tx, actor, operand) {
    const condition = pick(operand, {
      dm: sql`m.channel_id is null`,
      private: sql`m.channel_id is null`,
      unread: isUnread(actor),
      resolved: sql`m.topic_id in (select id from topics where name like '✔ %')`,
      // Nobody has starred, mentioned, followed or muted anything.
      starred: nothing,
      mentioned: nothing,
      alerted: nothing,
      followed: nothing,
      muted: nothing,
    });
    if (!condition) throw bad(`unknown 'is' operand ${String(operand)}`);
    return { condition };
  },
  async has(_tx, _actor, operand) {
    const condition = pick(operand, {
      link: sql`m.has_link`,
      image: sql`m.has_image`,
      attachment: sql`m.has_attachment`,
      reaction: sql`exists (select from reactions r where r.message_id = m.id)`,
    });
    if (!condition) throw bad(`unknown 'has' operand ${String(operand)}`);
    return { condition };
  },
  async in(_tx, _actor, operand) {
    if (operand === 'all') return { condition: sql`true` };
    if (operand === 'home') return { condition: sql`c.is_muted is not true` };
    throw bad(`unknown 'in' operand ${String(operand)}`);
  },
  async id(_tx, _actor, operand) {
    return { condition: sql`m.id = ${readMessageId(operand)}` };
  },
  async near(_tx, _actor, operand) {
    readMessageId(operand);
    return { condition: sql`true` };
  },
};

/** A channel that the reader does not see looks like one that does not exist; content is judged by what was received. */
function isFindable(actor: Actor, { channel, isSubscribed }: ChannelAccess): boolean {
  return isSubscribed || channel.isWebPublic || (!channel.isPrivate && !isGuest(actor));
}

const conversationsWith = (actor: Actor, userId: number) => sql`
  select d.id from conversations d
  where d.people is not null and d.realm_id = ${actor.realm.id}
    and d.id in (select conversation_id from conversation_members where user_id = ${userId})`;

async function getUser(tx: Tx, actor: Actor, operand: Operand) {
  const found =
    typeof operand === 'number'
      ? (await listUsers(tx, actor.realm.id, [operand]))[0]
      : (await listUsersByEmail(tx, actor.realm.id, [String(operand)])).get(String(operand).toLowerCase());
  if (!found) throw bad(`unknown user ${String(operand)}`);
  return found;
}

async function getPeople(tx: Tx, actor: Actor, operand: Operand): Promise<number[]> {
  if (typeof operand === 'string') {
    const emails = operand.split(',').map((email) => email.trim());
    const found = await listUsersByEmail(tx, actor.realm.id, emails);
    return emails.map((email) => {
      const user = found.get(email.toLowerCase());
      if (!user) throw bad(`unknown user in ${operand}`);
      return user.id;
    });
  }
  const ids = Array.isArray(operand) ? operand : [operand];
  const found = await listUsers(tx, actor.realm.id, ids);
  if (found.length < new Set(ids).size) throw bad(`unknown user in [${ids.join(', ')}]`);
  return ids;
}

const messageIdMax = 2_147_483_647;

function readMessageId(operand: Operand): number {
  const id = typeof operand === 'string' && /^\d{1,10}$/.test(operand) ? Number(operand) : operand;
  if (typeof id !== 'number' || id < 0 || id > messageIdMax) throw bad('Invalid message ID');
  return id;
}
