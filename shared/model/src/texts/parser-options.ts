import { BoundedCache } from '@parley/kit';
import { type Emoji, type Linkifiers, type Options, compileLinkifiers } from '@parley/markdown';

import { extraEmoji, extraEmojiUrl } from '../emoji/extra.ts';
import { findUnicodeEmojiCode, unicodeEmojiNameOf } from '../emoji/unicode.ts';
import type { TextOptions } from './options.ts';

/** Compiled lists by the vocabulary's key. Compiling a list takes longer than reading it. */
const compiled = new BoundedCache<string, Linkifiers>('linkifiers', { bytesOf: ({ bytes }) => bytes });

export function compiledLinkifiers({ vocabulary }: TextOptions): Linkifiers {
  const cached = compiled.get(vocabulary.key);
  if (cached) return cached;
  const linkifiers = compileLinkifiers(vocabulary.linkifiers);
  compiled.set(vocabulary.key, linkifiers);
  return linkifiers;
}

/** Returns the options that the parser takes for a text that was written at this time. */
export const parserOptions = (options: TextOptions, writtenAt: Date): Options => ({
  writtenAt,
  linkifiers: compiledLinkifiers(options),
  emoji: (name) => findEmoji(name, options.vocabulary.emoji),
  emojiNameOf: unicodeEmojiNameOf,
  ...options,
});

/** The emoji of a name. The organization's custom emoji come first, then the server's, then Unicode. */
function findEmoji(name: string, customEmoji: ReadonlyMap<string, string>): Emoji | undefined {
  const src = customEmoji.get(name) ?? (name === extraEmoji.name ? extraEmojiUrl : undefined);
  if (src !== undefined) return { src };
  const code = findUnicodeEmojiCode(name);
  return code === undefined ? undefined : { code };
}
