import type { Message } from '@parley/client';

/** By what a message speaks to its reader: by name, or as one of a group or of all; null where it does not. */
export type MentionKind = 'you' | 'group' | null;

const wildcards = ['wildcard_mentioned', 'stream_wildcard_mentioned', 'topic_wildcard_mentioned'];

/** Returns by what a message speaks to its reader. The flag says that it does, and the text how. */
export function mentionKind(
  { flags, content }: Pick<Message, 'flags' | 'content'>,
  ownId: number,
): MentionKind {
  if (flags.includes('mentioned')) return isNamed(content, ownId) ? 'you' : 'group';
  return wildcards.some((flag) => flags.includes(flag)) ? 'group' : null;
}

/** Returns whether a text mentions somebody by name; silent mentions are none. */
const isNamed = (html: string, ownId: number): boolean =>
  html.includes(`class="user-mention" data-user-id="${ownId}"`);
