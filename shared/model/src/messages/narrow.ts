import type { Tx } from '@parley/db';
import { ApiError } from '@parley/protocol';
import { type SQL, sql } from 'drizzle-orm';

import { findMessage } from '../access/messages.ts';
import type { Actor } from '../actor.ts';
import type { Rules } from '../permissions/rules.ts';
import {
  type NarrowOperand,
  type NarrowTerm,
  badNarrow,
  findNarrowNames,
  parseMessageId,
  parseSearchText,
} from './narrow-names.ts';
import { type ResolvedTerm, narrowOperators } from './narrow-operators.ts';
import type { Fallbacks, PreparedSearch } from './search/condition.ts';
import { type Search, parseSearch } from './search/parse.ts';

/** A narrow as conditions on `m`, `c`, `h` and `k`, which joinMessageReader joins. */
export interface ResolvedNarrow {
  conditions: SQL[];
  /** Whether it covers the whole history of channels that the reader may read, and not only received messages. */
  isWholeHistory: boolean;
  /** Whether one of its conditions finds messages by an index of its own. */
  isSelective: boolean;
  /** Whether only unread messages can match. */
  isUnreadOnly: boolean;
  /**
   * Which messages an index has in the order of their ids: by conditions on `m`, and by a condition on the reader's
   * `message_flags`. The anchor's neighbours are found among them.
   */
  inOrder: { conditions: SQL[]; flagged: SQL | null };
  /** Those of the conditions that `inOrder` has not. */
  besides: SQL[];
  /** What is left to ask of messages that are unread. */
  ofUnread: SQL[];
  /** A condition on `c`, the reader's membership: the conversations in which a match can have been sent. */
  inConversations: SQL;
  /** Which of the reader's conversations can contain a match. */
  conversationScope: 'all' | 'direct';
  /** Whether muted messages count as unread when the first unread one is looked for: in direct messages they do. */
  ignoresMutes: boolean;
  /** What is searched for, the other conditions, and the keys of places that all messages of the narrow have. */
  search: PreparedSearch | null;
  besideSearch: SQL[];
  places: string[];
}

const aliases: Record<string, string> = {
  stream: 'channel',
  streams: 'channels',
  'pm-with': 'dm',
  'pm-including': 'dm-including',
};

const directOperators = new Set(['dm', 'dm-including', 'group-pm-with']);

const channelOperators = new Set(['channel', 'topic', 'channels']);

/**
 * Returns the conditions of a narrow.
 *
 * @throws BAD_NARROW for unknown operators and operands, for channels that the actor may not see, and for a narrow that
 *   names or searches for too much
 */
export async function resolveNarrow(
  tx: Tx,
  actor: Actor,
  narrow: readonly NarrowTerm[],
  { rules, fallbacks }: { rules: Promise<Rules>; fallbacks?: Fallbacks | undefined },
): Promise<ResolvedNarrow> {
  const terms = await resolveWithOperator(
    tx,
    actor,
    narrow.map((term) => ({ ...term, operator: aliases[term.operator] ?? term.operator })),
  );
  assertNotChannelAndDirect(terms);
  const isDirectOnly =
    terms.some(({ operator, negated }) => directOperators.has(operator) && !negated) || terms.some(isDirect);
  const names = await findNarrowNames(tx, actor, terms, { rules, isDirect: isDirectOnly, fallbacks });
  const searched = joinSearches(terms);
  const search = searched && names.prepareSearch(searched);
  const scope: ResolvedNarrow = {
    conditions: [],
    isWholeHistory: false,
    isSelective: search !== null,
    isUnreadOnly: false,
    inOrder: { conditions: [], flagged: null },
    besides: [],
    ofUnread: [],
    inConversations: sql`true`,
    conversationScope: 'all',
    ignoresMutes: terms.some(({ operator }) => directOperators.has(operator)) || terms.some(isDirect),
    search,
    besideSearch: [],
    places: [],
  };
  // Topics are looked up only in the channel that the narrow names.
  const channelTerm = terms.find(({ operator, negated }) => operator === 'channel' && !negated);
  const channel = channelTerm ? names.getChannel(channelTerm.operand) : null;
  const isInTopic = terms.some(({ operator, negated }) => operator === 'topic' && !negated);
  let isOwnRowsOnly = false;
  for (const term of terms) {
    const { operator, operand, negated } = term;
    if (operator === 'search' && !negated) continue;
    const resolve = Object.hasOwn(narrowOperators, operator) ? narrowOperators[operator] : undefined;
    if (!resolve) throw badNarrow(`there is no operator '${operator}'`);
    const resolved = resolve({ actor, names, channel }, operand);
    const { isWholeHistory, isSelective, isUnreadOnly } = resolved;
    if (isWholeHistory && !negated) scope.isWholeHistory = true;
    if (isSelective && !negated) scope.isSelective = true;
    if (isUnreadOnly && !negated) scope.isUnreadOnly = true;
    if (operator === 'is' && operand !== 'resolved') isOwnRowsOnly = true;
    if (resolved.inConversations && !negated) {
      scope.inConversations = sql`${scope.inConversations} and ${resolved.inConversations}`;
    }
    if (isDirect(term)) scope.conversationScope = 'direct';
    if (resolved.place !== undefined && !negated) scope.places.push(resolved.place);
    // What is in a topic of the channel has the order of the topic.
    const ordered = operator === 'channel' && isInTopic ? { ...resolved, isInOrder: false } : resolved;
    addCondition(scope, ordered, negated);
  }
  scope.besideSearch = [...scope.conditions];
  if (search) addCondition(scope, search, false);
  if (isOwnRowsOnly) scope.isWholeHistory = false;
  return scope;
}

function addCondition(
  { conditions, inOrder, besides, ofUnread }: ResolvedNarrow,
  term: ResolvedTerm,
  negated: boolean,
): void {
  const condition = negated ? sql`(${term.condition}) is not true` : term.condition;
  conditions.push(condition);
  if (!term.isUnreadOnly || negated) ofUnread.push(condition);
  if (term.isInOrder && !negated) inOrder.conditions.push(condition);
  else if (term.flagged && !negated && !inOrder.flagged) inOrder.flagged = term.flagged;
  else besides.push(condition);
}

/** What the messages have to contain, of all terms together; null if they may contain anything. */
function joinSearches(terms: readonly NarrowTerm[]): Search | null {
  const searches = terms
    .filter(({ operator, negated }) => operator === 'search' && !negated)
    .map(({ operand }) => parseSearch(parseSearchText(operand)));
  if (searches.length === 0) return null;
  return {
    words: searches.flatMap(({ words }) => words),
    phrases: searches.flatMap(({ phrases }) => phrases),
  };
}

const isDirect = ({ operator, operand, negated }: NarrowTerm) =>
  operator === 'is' && (operand === 'dm' || operand === 'private') && !negated;

/** @throws BAD_NARROW for a narrow to messages that are both in a channel and direct */
function assertNotChannelAndDirect(terms: readonly NarrowTerm[]): void {
  const positive = terms.filter(({ negated }) => !negated);
  const isOf = (kinds: ReadonlySet<string>) => positive.some(({ operator }) => kinds.has(operator));
  if (isOf(channelOperators) && (isOf(directOperators) || positive.some(isDirect))) {
    throw badNarrow('a message cannot be both in a channel and direct');
  }
}

/** Replaces `with`, and the terms that named the conversation, by terms for the conversation of its message now. */
async function resolveWithOperator(tx: Tx, actor: Actor, terms: NarrowTerm[]): Promise<NarrowTerm[]> {
  const [withTerm, ...more] = terms.filter(({ operator }) => operator === 'with');
  if (!withTerm) return terms;
  if (more.length > 0 || withTerm.negated) {
    const desc = more.length > 0 ? "Duplicate 'with' operators." : "Invalid 'with' operator";
    throw new ApiError('BAD_NARROW', `The narrow is not valid: ${desc}.`, { desc });
  }
  const others = terms.filter((term) => term !== withTerm);
  const message = await findMessage(tx, actor, parseMessageId(withTerm.operand));
  if (!message) {
    const names = new Set(others.filter(({ negated }) => !negated).map(({ operator }) => operator));
    if (names.has('dm') || (names.has('channel') && names.has('topic'))) return others;
    throw badNarrow("Invalid 'with' operator");
  }
  const rest = others.filter(({ operator }) => !['channel', 'topic', 'dm'].includes(operator));
  const term = (operator: string, operand: NarrowOperand) => ({ operator, operand, negated: false });
  if (message.channel && message.topic) {
    return [term('channel', message.channel.channel.id), term('topic', message.topic.name), ...rest];
  }
  return [term('dm', message.people ?? []), ...rest];
}
