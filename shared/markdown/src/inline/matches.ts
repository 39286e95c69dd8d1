import { type BareLink, type StaticHtml, staticHtml } from '../atoms.ts';
import { emojiHtml, findUnicodeEmoji } from '../emoji.ts';
import { findEmoticons } from '../emoticons.ts';
import type { Budget } from '../find-all.ts';
import { findUrls } from '../find-urls.ts';
import type { Options } from '../options.ts';
import { safeUrl } from '../urls.ts';

/** A part of ordinary text that becomes an element although no special character starts it. */
export interface TextMatch {
  start: number;
  end: number;
  atom: StaticHtml | BareLink;
}

/**
 * Finds all matches in order of position, without overlaps. Addresses take precedence over linkifiers, linkifiers
 * over emoticons, and emoticons over Unicode emoji.
 */
export function findMatches(src: string, options: Options, budget: Budget): TextMatch[] {
  let matches = addresses(src, options);
  matches = mergeMatches(matches, linkified(src, options, budget));
  if (options.translateEmoticons) matches = mergeMatches(matches, emoticons(src, options));
  return mergeMatches(matches, unicode(src, options));
}

function mergeMatches(matches: TextMatch[], others: TextMatch[]): TextMatch[] {
  if (others.length === 0) return matches;
  if (matches.length === 0) return others;
  const merged: TextMatch[] = [];
  let at = 0;
  for (const other of others) {
    for (let match = matches[at]; match && match.start < other.end; match = matches[(at += 1)])
      merged.push(match);
    if ((merged.at(-1)?.end ?? 0) <= other.start) merged.push(other);
  }
  return merged.concat(matches.slice(at));
}

const addresses = (src: string, { realmUrl }: Options): TextMatch[] =>
  findUrls(src).flatMap(({ start, end, text, url }) => {
    const href = safeUrl(url, realmUrl);
    return href === null ? [] : { start, end, atom: { kind: 'bare-link', href, text, isAddress: true } };
  });

const linkified = (src: string, { linkifiers, realmUrl }: Options, budget: Budget): TextMatch[] =>
  linkifiers.match(src, budget).flatMap(({ start, end, text, url }) => {
    const href = safeUrl(url, realmUrl);
    return href === null ? [] : { start, end, atom: { kind: 'bare-link', href, text, isAddress: false } };
  });

const emoticons = (src: string, { emoji }: Options): TextMatch[] =>
  findEmoticons(src).flatMap(({ start, end, name }) => {
    const shown = emoji(name);
    return shown ? { start, end, atom: staticHtml(emojiHtml(name, shown), src.slice(start, end)) } : [];
  });

const unicode = (src: string, { emojiNameOf }: Options): TextMatch[] =>
  findUnicodeEmoji(src).flatMap(({ start, end, code }) => {
    const name = emojiNameOf(code);
    return name === undefined
      ? []
      : { start, end, atom: staticHtml(emojiHtml(name, { code }), src.slice(start, end)) };
  });
