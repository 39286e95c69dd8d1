import type { Tx, UserRow } from '@parley/db';
import { ApiError, limits } from '@parley/protocol';

import { type ChannelAccess, maySeeChannel } from '../access/channel-permissions.ts';
import { type FindListedChannel, listChannels } from '../access/channels.ts';
import type { Actor } from '../actor.ts';
import { isBigId } from '../ids.ts';
import type { Rules } from '../permissions/rules.ts';
import { listUsers, listUsersByEmail } from '../users/find.ts';
import { type Fallbacks, type PreparedSearch, prepareSearches } from './search/condition.ts';
import { type Search, parseSearch } from './search/parse.ts';

export type NarrowOperand = string | number | number[];

/** One term of a narrow, as a client sends it. */
export interface NarrowTerm {
  operator: string;
  operand: NarrowOperand;
  negated: boolean;
}

/** The channels, users and searches that a narrow names. Each of its functions throws BAD_NARROW for anything else. */
export interface NarrowNames {
  rules: Rules;
  getChannel(operand: NarrowOperand): ChannelAccess;
  getUserId(operand: NarrowOperand): number;
  getUserIds(operand: NarrowOperand): number[];
  prepareSearch(search: Search): PreparedSearch;
}

export const badNarrow = (desc: string) =>
  new ApiError('BAD_NARROW', `The narrow is not valid: ${desc}.`, { desc });

/** @throws BAD_NARROW for an operand that is not an id */
export function parseMessageId(operand: NarrowOperand): number {
  const id = typeof operand === 'string' && /^\d{1,16}$/.test(operand) ? Number(operand) : operand;
  if (typeof id !== 'number' || !isBigId(id)) throw badNarrow('there is no message with this id');
  return id;
}

/** @throws BAD_NARROW for an operand that is not a text */
export function parseSearchText(operand: NarrowOperand): string {
  if (typeof operand !== 'string' || operand.trim() === '') throw badNarrow('the search is not valid');
  return operand;
}

const userOperators = new Set(['sender', 'dm-including', 'group-pm-with']);

const splitEmails = (operand: string) => operand.split(',').map((email) => email.trim());

/**
 * Looks up everything that a narrow names: the number of statements does not depend on the number of its terms. Topics are not
 * looked for where all its messages are direct.
 *
 * @throws BAD_NARROW for a narrow that names too many users or searches for too much
 */
export async function findNarrowNames(
  tx: Tx,
  actor: Actor,
  terms: readonly NarrowTerm[],
  {
    rules: askedRules,
    isDirect,
    fallbacks,
  }: { rules: Promise<Rules>; isDirect: boolean; fallbacks: Fallbacks | undefined },
): Promise<NarrowNames> {
  const operandsOf = (isMatch: (operator: string) => boolean) =>
    terms.filter(({ operator }) => isMatch(operator)).map(({ operand }) => operand);
  const people = operandsOf((operator) => operator === 'dm' || userOperators.has(operator));
  const channels = operandsOf((operator) => operator === 'channel');
  const [rules, findChannel] = await Promise.all([
    askedRules,
    listChannels(
      tx,
      actor,
      channels.filter((operand) => typeof operand !== 'object'),
    ),
  ]);
  return {
    rules,
    getChannel: getVisibleChannel(actor, rules, findChannel),
    ...(await findUserNames(tx, actor, people)),
    prepareSearch: await prepareSearches(
      tx,
      { realmId: actor.realm.id, channels: isDirect ? [] : channelsOf(terms, findChannel), fallbacks },
      operandsOf((operator) => operator === 'search').map((operand) => parseSearch(parseSearchText(operand))),
    ),
  };
}

/** The channels in which all messages of a narrow are; null if it names none. */
function channelsOf(terms: readonly NarrowTerm[], find: FindListedChannel): number[] | null {
  const named = terms.filter(({ operator, negated }) => operator === 'channel' && !negated);
  if (named.length === 0) return null;
  const found = named.map(({ operand }) => (Array.isArray(operand) ? undefined : find(operand)));
  return found.flatMap((access) => access?.channel.id ?? []);
}

function getVisibleChannel(actor: Actor, rules: Rules, find: FindListedChannel) {
  return (operand: NarrowOperand): ChannelAccess => {
    if (Array.isArray(operand)) throw badNarrow('a channel cannot be a list');
    const access = find(operand);
    // A channel that the reader may not see is refused like one that does not exist.
    if (!access || !maySeeChannel(actor, access, rules)) throw badNarrow(`there is no channel '${operand}'`);
    return access;
  };
}

async function findUserNames(tx: Tx, actor: Actor, operands: NarrowOperand[]) {
  const ids = [...new Set(operands.flatMap((operand) => (typeof operand === 'string' ? [] : operand)))];
  const emails = [
    ...new Set(operands.flatMap((operand) => (typeof operand === 'string' ? splitEmails(operand) : []))),
  ];
  if (ids.length + emails.length > limits.narrowUsers) {
    throw badNarrow(`it can name at most ${limits.narrowUsers} users`);
  }
  const byId = new Map((await listUsers(tx, actor.realm.id, ids)).map((user) => [user.id, user]));
  const byEmail = await listUsersByEmail(tx, actor, emails);

  function getId(user: UserRow | undefined, named: NarrowOperand): number {
    if (!user) throw badNarrow(`there is no user '${Array.isArray(named) ? named.join(', ') : named}'`);
    return user.id;
  }
  const getEmailId = (email: string, named: string) => getId(byEmail.get(email.toLowerCase()), named);
  return {
    getUserId: (operand: NarrowOperand): number =>
      typeof operand === 'number'
        ? getId(byId.get(operand), operand)
        : getEmailId(String(operand), String(operand)),
    getUserIds: (operand: NarrowOperand): number[] =>
      typeof operand === 'string'
        ? splitEmails(operand).map((email) => getEmailId(email, operand))
        : [operand].flat().map((id) => getId(byId.get(id), operand)),
  };
}
