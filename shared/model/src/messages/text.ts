import { ApiError, limits, emptyTopicDisplayName } from '@parley/protocol';

import { isUnprintable } from '../names.ts';

export const isMeMessage = (content: string) => content.startsWith('/me ');

const truncationNotice = '\n[message truncated]';

/**
 * Returns the form in which a message's content is stored: trimmed, and truncated to the limit. Lengths count code
 * points.
 *
 * @throws BAD_REQUEST for a content that is empty or has null bytes
 */
export function parseMessageContent(raw: string): string {
  // Postgres cannot store lone surrogates.
  const text = raw
    .replaceAll(/\p{Cs}/gu, '\uFFFD')
    .replace(/^\n+/, '')
    .trimEnd();
  if (text.includes('\0')) throw new ApiError('BAD_REQUEST', 'The message contains a null character.');
  if (text === '') throw new ApiError('BAD_REQUEST', 'The message is empty.');
  return truncate(text, limits.messageLength, truncationNotice);
}

/**
 * Returns the form in which a topic's name is stored: the display names of the empty topic become the empty string, and
 * a long name is truncated.
 *
 * @throws BAD_REQUEST for a name with unprintable characters
 */
export function parseTopicName(raw: string): string {
  const topic = readEmptyTopic(raw.trim());
  const invalid = [...topic].findIndex(isUnprintable);
  if (invalid >= 0) {
    throw new ApiError(
      'BAD_REQUEST',
      `The topic contains a character that is not allowed, at position ${invalid + 1}.`,
    );
  }
  return truncateTopic(topic);
}

const emptyTopicNames = ['(no topic)', emptyTopicDisplayName];

/** Returns a topic's name, which is empty for the names under which clients send the empty topic. */
export const readEmptyTopic = (topic: string) => (emptyTopicNames.includes(topic.trim()) ? '' : topic);

/** Returns a topic's name, cut to the limit. */
export const truncateTopic = (topic: string) => truncate(topic, limits.topicLength, '...');

function truncate(text: string, max: number, end: string): string {
  // A text has at most as many code points as code units, so most texts need no counting.
  if (text.length <= max) return text;
  const points = [...text];
  return points.length <= max ? text : points.slice(0, max - end.length).join('') + end;
}
