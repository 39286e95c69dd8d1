import { emojiHtml, findUnicodeEmoji } from '../emoji.ts';
import { findEmoticons } from '../emoticons.ts';
import type { Options } from '../options.ts';
import { type Bare, type Still, still } from '../pieces.ts';
import { findUrls, safeUrl } from '../urls.ts';

/** What begins in the middle of ordinary text, so that no character announces it. */
export interface Mark {
  start: number;
  end: number;
  piece: Still | Bare;
}

/** In order of place, without overlaps: addresses go before linkifiers, these before emoticons, these before emoji. */
export function findMarks(src: string, options: Options): Mark[] {
  let marks = addresses(src, options);
  marks = beside(marks, linkified(src, options));
  if (options.translateEmoticons) marks = beside(marks, emoticons(src, options));
  return beside(marks, unicode(src, options));
}

function beside(marks: Mark[], others: Mark[]): Mark[] {
  if (others.length === 0) return marks;
  if (marks.length === 0) return others;
  const merged: Mark[] = [];
  let at = 0;
  for (const other of others) {
    for (let mark = marks[at]; mark && mark.start < other.end; mark = marks[(at += 1)]) merged.push(mark);
    if ((merged.at(-1)?.end ?? 0) <= other.start) merged.push(other);
  }
  return merged.concat(marks.slice(at));
}

const addresses = (src: string, { realmUrl }: Options): Mark[] =>
  findUrls(src).flatMap(({ start, end, text, url }) => {
    const href = safeUrl(url, realmUrl);
    return href === null ? [] : { start, end, piece: { kind: 'bare', href, text, isAddress: true } };
  });

const linkified = (src: string, { linkifiers, realmUrl }: Options): Mark[] =>
  linkifiers.match(src).flatMap(({ start, end, text, url }) => {
    const href = safeUrl(url, realmUrl);
    return href === null ? [] : { start, end, piece: { kind: 'bare', href, text, isAddress: false } };
  });

const emoticons = (src: string, { emoji }: Options): Mark[] =>
  findEmoticons(src).flatMap(({ start, end, name }) => {
    const found = emoji(name);
    return found ? { start, end, piece: still(emojiHtml(name, found), src.slice(start, end)) } : [];
  });

const unicode = (src: string, { emojiNameOf }: Options): Mark[] =>
  findUnicodeEmoji(src).flatMap(({ start, end, code }) => {
    const name = emojiNameOf(code);
    return name === undefined
      ? []
      : { start, end, piece: still(emojiHtml(name, { code }), src.slice(start, end)) };
  });
