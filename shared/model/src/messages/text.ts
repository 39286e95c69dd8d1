import { ApiError, limits, emptyTopicDisplayName } from '@parley/protocol';

import { isUnprintable } from '../names.ts';

export const isMeMessage = (content: string) => content.startsWith('/me ');

const truncationNotice = '\n[message truncated]';

/** Content as it is stored: ends trimmed, cut to the limit. Lengths count code points. */
export function parseMessageContent(raw: string): string {
  // Half a surrogate pair is no character, and Postgres stores none.
  const text = raw
    .replaceAll(/\p{Cs}/gu, '\uFFFD')
    .replace(/^\n+/, '')
    .trimEnd();
  if (text.includes('\0')) throw new ApiError('BAD_REQUEST', 'Message must not contain null bytes');
  if (text === '') throw new ApiError('BAD_REQUEST', 'Message must not be empty');
  return truncate(text, limits.messageLength, truncationNotice);
}

/** Topic as it is stored: the names of the empty topic become the empty string; long ones are cut. */
export function parseTopicName(raw: string): string {
  const topic = raw.trim();
  if (topic === '(no topic)' || topic === emptyTopicDisplayName) return '';
  const invalid = [...topic].findIndex(isUnprintable);
  if (invalid >= 0) {
    throw new ApiError('BAD_REQUEST', `Invalid character in topic, at position ${invalid + 1}!`);
  }
  return truncate(topic, limits.topicLength, '...');
}

function truncate(text: string, max: number, end: string): string {
  // Code units bound code points from above, and most texts are short.
  if (text.length <= max) return text;
  const points = [...text];
  return points.length <= max ? text : points.slice(0, max - end.length).join('') + end;
}
