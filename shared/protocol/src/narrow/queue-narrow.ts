import { ApiError } from '../errors.ts';
import type { Message } from '../objects/message.ts';

/** Terms of a queue's narrow: [operator, operand] pairs, all of which must hold. */
export type QueueNarrow = readonly (readonly [string, string])[];

type Test = (operand: string, message: Message, flags: readonly string[]) => boolean;

const resolvedPrefix = '✔ ';
const same = (a: string, b: string) => a.toLowerCase() === b.toLowerCase();
const mentions = ['mentioned', 'stream_wildcard_mentioned', 'topic_wildcard_mentioned'];

const is: Record<string, (message: Message, flags: readonly string[]) => boolean> = {
  dm: ({ type }) => type === 'private',
  private: ({ type }) => type === 'private',
  starred: (_, flags) => flags.includes('starred'),
  unread: (_, flags) => !flags.includes('read'),
  mentioned: (_, flags) => flags.some((flag) => mentions.includes(flag)),
  alerted: (_, flags) => flags.some((flag) => mentions.includes(flag)),
  resolved: ({ type, subject }) => type === 'stream' && subject.startsWith(resolvedPrefix),
};

const inChannel: Test = (operand, { type, display_recipient }) =>
  type === 'stream' && typeof display_recipient === 'string' && same(display_recipient, operand);

const tests: Record<string, Test> = {
  channel: inChannel,
  stream: inChannel,
  topic: (operand, { type, subject }) => type === 'stream' && same(subject, operand),
  sender: (operand, { sender_email }) => same(sender_email, operand),
  is: (operand, message, flags) => is[operand]?.(message, flags) ?? true,
};

/** Refuses a narrow that queues cannot evaluate. */
export function checkQueueNarrow(narrow: QueueNarrow): void {
  for (const [operator, operand] of narrow) {
    if (!Object.hasOwn(tests, operator))
      throw new ApiError('BAD_REQUEST', `Operator ${operator} is not supported here.`);
    if (operator === 'is' && !Object.hasOwn(is, operand)) {
      throw new ApiError('BAD_REQUEST', `Operand ${operand} is not supported here.`);
    }
  }
}

/** Whether a message, with its flags for this user at sending time, passes the narrow. */
export function passesNarrow(narrow: QueueNarrow, message: Message, flags: readonly string[]): boolean {
  return narrow.every(([operator, operand]) => tests[operator]?.(operand, message, flags) ?? false);
}
