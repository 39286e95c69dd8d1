import { attributes } from './escape.ts';
import type { Emoji } from './options.ts';

export function emojiHtml(name: string, emoji: Emoji): string {
  const title = name.replaceAll('_', ' ');
  if ('src' in emoji)
    return `<img${attributes({ alt: `:${name}:`, class: 'emoji', src: emoji.src, title })}>`;
  const shown = { 'aria-label': title, class: `emoji emoji-${emoji.code}`, role: 'img', title };
  return `<span${attributes(shown)}>:${name}:</span>`;
}

const mayHoldEmoji = /[\u{200D}-\u{10FFFF}]/u;

/**
 * Matches one emoji that is shown as a picture: by default, because of a variation selector, or as part of a
 * sequence.
 */
const emojiPattern = String.raw`(?:\p{RI}\p{RI}|[0-9#*]\uFE0F?\u20E3|(?:\p{Emoji_Presentation}|\p{Extended_Pictographic}(?=[\uFE0F\u200D]|\p{EMod}))\uFE0F?\p{EMod}?[\u{E0020}-\u{E007F}]*)`;
const emojiSequence = new RegExp(
  String.raw`${emojiPattern}(?:\u200D(?:${emojiPattern}|\p{Extended_Pictographic}))*\uFE0F?(?!\uFE0E)`,
  'gu',
);

export interface FoundEmoji {
  start: number;
  end: number;
  /** Code points in hex, joined by dashes, without variation selectors. */
  code: string;
}

export function findUnicodeEmoji(text: string): FoundEmoji[] {
  if (!mayHoldEmoji.test(text)) return [];
  return [...text.matchAll(emojiSequence)].map(({ index: start, 0: characters }) => ({
    start,
    end: start + characters.length,
    code: [...characters]
      .filter((character) => character !== '\u{FE0F}')
      .map((character) => (character.codePointAt(0) ?? 0).toString(16).padStart(4, '0'))
      .join('-'),
  }));
}
