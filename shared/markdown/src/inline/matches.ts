import { type BareLink, type StaticHtml, staticHtml } from '../atoms.ts';
import { emojiHtml, findUnicodeEmoji } from '../emoji.ts';
import { findEmoticons } from '../emoticons.ts';
import type { Options } from '../options.ts';
import { findUrls, safeUrl } from '../urls.ts';

/** What begins in the middle of ordinary text, so that no character announces it. */
export interface TextMatch {
  start: number;
  end: number;
  atom: StaticHtml | BareLink;
}

/** In order of place, without overlaps: addresses go before linkifiers, these before emoticons, these before emoji. */
export function findMatches(src: string, options: Options): TextMatch[] {
  let marks = addresses(src, options);
  marks = mergeMatches(marks, linkified(src, options));
  if (options.translateEmoticons) marks = mergeMatches(marks, emoticons(src, options));
  return mergeMatches(marks, unicode(src, options));
}

function mergeMatches(marks: TextMatch[], others: TextMatch[]): TextMatch[] {
  if (others.length === 0) return marks;
  if (marks.length === 0) return others;
  const merged: TextMatch[] = [];
  let at = 0;
  for (const other of others) {
    for (let mark = marks[at]; mark && mark.start < other.end; mark = marks[(at += 1)]) merged.push(mark);
    if ((merged.at(-1)?.end ?? 0) <= other.start) merged.push(other);
  }
  return merged.concat(marks.slice(at));
}

const addresses = (src: string, { realmUrl }: Options): TextMatch[] =>
  findUrls(src).flatMap(({ start, end, text, url }) => {
    const href = safeUrl(url, realmUrl);
    return href === null ? [] : { start, end, atom: { kind: 'bare-link', href, text, isAddress: true } };
  });

const linkified = (src: string, { linkifiers, realmUrl }: Options): TextMatch[] =>
  linkifiers.match(src).flatMap(({ start, end, text, url }) => {
    const href = safeUrl(url, realmUrl);
    return href === null ? [] : { start, end, atom: { kind: 'bare-link', href, text, isAddress: false } };
  });

const emoticons = (src: string, { emoji }: Options): TextMatch[] =>
  findEmoticons(src).flatMap(({ start, end, name }) => {
    const found = emoji(name);
    return found ? { start, end, atom: staticHtml(emojiHtml(name, found), src.slice(start, end)) } : [];
  });

const unicode = (src: string, { emojiNameOf }: Options): TextMatch[] =>
  findUnicodeEmoji(src).flatMap(({ start, end, code }) => {
    const name = emojiNameOf(code);
    return name === undefined
      ? []
      : { start, end, atom: staticHtml(emojiHtml(name, { code }), src.slice(start, end)) };
  });
