import { ApiError } from '../errors.ts';
import { type Message, resolvedPrefix } from '../objects/message.ts';

/** Terms of a queue's narrow as pairs [operator, operand]. A message must match all of them. */
export type QueueNarrow = readonly (readonly [string, string])[];

type Predicate = (operand: string, message: Message, flags: readonly string[]) => boolean;

const equalsIgnoringCase = (a: string, b: string) => a.toLowerCase() === b.toLowerCase();
const mentions = ['mentioned', 'stream_wildcard_mentioned', 'topic_wildcard_mentioned'];

const isPredicates: Record<string, (message: Message, flags: readonly string[]) => boolean> = {
  dm: ({ type }) => type === 'private',
  private: ({ type }) => type === 'private',
  starred: (_, flags) => flags.includes('starred'),
  unread: (_, flags) => !flags.includes('read'),
  mentioned: (_, flags) => flags.some((flag) => mentions.includes(flag)),
  alerted: (_, flags) => flags.some((flag) => mentions.includes(flag)),
  resolved: ({ type, subject }) => type === 'stream' && subject.startsWith(resolvedPrefix),
};

const inChannel: Predicate = (operand, { type, display_recipient }) =>
  type === 'stream' &&
  typeof display_recipient === 'string' &&
  equalsIgnoringCase(display_recipient, operand);

const predicates: Record<string, Predicate> = {
  channel: inChannel,
  stream: inChannel,
  topic: (operand, { type, subject }) => type === 'stream' && equalsIgnoringCase(subject, operand),
  sender: (operand, { sender_email }) => equalsIgnoringCase(sender_email, operand),
  is: (operand, message, flags) => isPredicates[operand]?.(message, flags) ?? true,
};

/** Refuses a narrow with an operator or operand that queues cannot evaluate. */
export function checkQueueNarrow(narrow: QueueNarrow): void {
  for (const [operator, operand] of narrow) {
    if (!Object.hasOwn(predicates, operator))
      throw new ApiError('BAD_REQUEST', `Operator ${operator} is not supported here.`);
    if (operator === 'is' && !Object.hasOwn(isPredicates, operand)) {
      throw new ApiError('BAD_REQUEST', `Operand ${operand} is not supported here.`);
    }
  }
}

/** Returns whether a message, with its flags for this user at the time it was sent, matches the narrow. */
export function passesNarrow(narrow: QueueNarrow, message: Message, flags: readonly string[]): boolean {
  return narrow.every(([operator, operand]) => predicates[operator]?.(operand, message, flags) ?? false);
}
