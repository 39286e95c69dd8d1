import { isPlaceMuted } from '../state/counts.ts';
import type { Message } from '../state/message.ts';
import { type Place, inTopic, othersIn, topicKey, topicOf } from '../state/places.ts';
import type { State } from '../state/state.ts';

/** One condition on messages, as GET /messages accepts it. Channels and users by their ids are decided here. */
export interface Term {
  readonly operator: string;
  readonly operand: string | number | readonly number[];
  readonly negated?: boolean;
}

/** All of the conditions; none: every message. */
export type Narrow = readonly Term[];

/** Equal for narrows that mean the same in the same order. */
export const narrowKey = (narrow: Narrow): string =>
  JSON.stringify(narrow.map(({ operator, operand, negated = false }) => [operator, operand, negated]));

type Decide = (message: Message, operand: Term['operand'], state: State) => boolean | null;

const hasFlag = (message: Message, ...flags: string[]) => flags.some((flag) => message.flags.includes(flag));

/** 1: muted; 2: unmuted; 3: followed; 0: as the channel is. */
const policyOf = ({ topics }: State, { stream_id = 0, subject }: Message): number =>
  topics.get(topicKey(stream_id, subject))?.visibility_policy ?? 0;

/** Returns whether a message is in a channel or topic that the reader mutes. */
export const isMuted = (state: State, { stream_id, subject }: Message): boolean =>
  stream_id !== undefined && isPlaceMuted(state, inTopic(stream_id, subject));

const isOperands: Record<string, (message: Message, state: State) => boolean> = {
  dm: ({ stream_id }) => stream_id === undefined,
  private: ({ stream_id }) => stream_id === undefined,
  unread: (message) => !hasFlag(message, 'read'),
  starred: (message) => hasFlag(message, 'starred'),
  mentioned: (message) => hasFlag(message, 'mentioned', 'wildcard_mentioned'),
  alerted: (message) => hasFlag(message, 'has_alert_word'),
  resolved: ({ stream_id, subject }) => stream_id !== undefined && subject.startsWith('✔ '),
  followed: (message, state) => message.stream_id !== undefined && policyOf(state, message) === 3,
  muted: (message, state) => isMuted(state, message),
};

const sameIds = (a: readonly number[], b: readonly number[]) =>
  a.length === b.length && a.every((id) => b.includes(id));

const decide: Record<string, Decide> = {
  channel: ({ stream_id }, operand) => (typeof operand === 'number' ? stream_id === operand : null),
  topic: ({ stream_id, subject }, operand) =>
    stream_id !== undefined && subject.toLowerCase() === String(operand).toLowerCase(),
  sender: ({ sender_id }, operand) => (typeof operand === 'number' ? sender_id === operand : null),
  dm({ people }, operand, { own }) {
    if (people === undefined) return false;
    if (typeof operand === 'string') return null;
    const others = [operand].flat().filter((id) => id !== own.user_id);
    return sameIds(othersIn(people, own.user_id), others);
  },
  'dm-including': ({ people }, operand) =>
    typeof operand === 'number' ? (people ?? '').split(',').includes(String(operand)) : null,
  is: (message, operand, state) => isOperands[String(operand)]?.(message, state) ?? null,
  in: (message, operand, state) =>
    operand === 'all' ? true : operand === 'home' ? !isMuted(state, message) : null,
  id: ({ id }, operand) => id === Number(operand),
  near: () => true,
};

/** Returns whether a message matches; null where only the server can say it. */
export function matches(narrow: Narrow, message: Message, state: State): boolean | null {
  let isCertain = true;
  for (const { operator, operand, negated = false } of narrow) {
    const decided = decide[operator]?.(message, operand, state) ?? null;
    if (decided === negated) return false;
    if (decided === null) isCertain = false;
  }
  return isCertain ? true : null;
}

/** Returns whether messages that are at a place now may match. */
export function mayMatchAt(narrow: Narrow, place: Place): boolean {
  const topic = topicOf(place);
  return narrow.every(({ operator, operand, negated = false }) => {
    if (operator === 'channel' && typeof operand === 'number') {
      return (topic?.channelId === operand) !== negated;
    }
    if (operator === 'topic') return (topic?.topic === String(operand).toLowerCase()) !== negated;
    return true;
  });
}

const hasTerm = (narrow: Narrow, operator: string, operands: readonly string[]) =>
  narrow.some((term) => term.operator === operator && operands.includes(String(term.operand)));

/** Returns whether what matches hangs on what the reader mutes and follows. */
export const dependsOnPolicies = (narrow: Narrow): boolean =>
  hasTerm(narrow, 'is', ['muted', 'followed']) || hasTerm(narrow, 'in', ['home']);

/**
 * Returns whether what was shown stays although it matches no more: whoever reads the unread does not lose it by
 * that.
 */
export const isOfUnread = (narrow: Narrow): boolean =>
  narrow.some(({ operator, operand, negated }) => operator === 'is' && operand === 'unread' && !negated);
