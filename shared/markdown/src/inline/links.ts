import type { LinkTarget } from '../atoms.ts';
import type { InlineRule, Line } from '../line.ts';
import { isSound } from '../previews.ts';
import { safeUrl, uploadOf } from '../urls.ts';
import { codeSpan, math, time } from './enclosed.ts';
import { internalLink, mention } from './names.ts';

const lengthMax = 4000;
const depthMax = 32;

interface ParsedLink {
  target: LinkTarget;
  /** The positions where the link's text starts and ends. */
  from: number;
  to: number;
  end: number;
}

/** Parses `[text](address "title")` from its opening bracket. */
function readLink(line: Line, pos: number): ParsedLink | null {
  const to = line.closerOf(pos);
  if (to === undefined || to >= line.posMax || line.src[to + 1] !== '(') return null;
  const address = readAddress(line.src, to + 2, line.posMax);
  if (!address) return null;
  const href = safeUrl(address.url, line.options.realmUrl);
  if (href === null) return null;
  const label = line.src.slice(pos + 1, to);
  const { title, end } = address;
  return { target: { href, title, label }, from: pos + 1, to, end };
}

const title = /\s+(["'])(.{0,1000}?)\1\s*\)/sy;

function readAddress(src: string, from: number, max: number) {
  const start = from + (/^\s{0,10}/.exec(src.slice(from, from + 10))?.[0].length ?? 0);
  const isEnclosed = src[start] === '<';
  let depth = 0;
  let at = isEnclosed ? start + 1 : start;
  for (const limit = Math.min(max, start + lengthMax); at < limit; at += 1) {
    const character = src[at] ?? '';
    if (isEnclosed ? character === '>' || character === '\n' : /\s/.test(character)) break;
    if (isEnclosed) continue;
    if (character === '(') depth += 1;
    if (depth > depthMax) return null;
    if (character === ')') depth -= 1;
    if (depth < 0) break;
  }
  const url = src.slice(isEnclosed ? start + 1 : start, at).trim();
  if (isEnclosed && src[at] !== '>') return null;
  const after = isEnclosed ? at + 1 : at;
  if (src[after] === ')') return after < max ? { url, title: undefined, end: after + 1 } : null;
  title.lastIndex = after;
  const written = title.exec(src);
  if (written && title.lastIndex <= max) return { url, title: written[2], end: title.lastIndex };
  const blank = /^\s{1,10}\)/.exec(src.slice(after, after + 11));
  return blank && after + blank[0].length <= max
    ? { url, title: undefined, end: after + blank[0].length }
    : null;
}

export const link: InlineRule = (line) => {
  if (line.src[line.pos] !== '[') return false;
  const parsed = readLink(line, line.pos);
  if (!parsed) return false;
  const { target, from, to, end } = parsed;
  const max = line.posMax;
  if (isSound(target.href) && uploadOf(target.href) !== null) {
    pushPlayer(line, parsed);
    return true;
  }
  line.push('link_open', 'a', 1).meta = { target };
  line.linkLevel += 1;
  [line.pos, line.posMax] = [from, to];
  if (target.label.trim() === '') line.pending += target.href;
  else readLabel(line);
  line.linkLevel -= 1;
  line.push('link_close', 'a', -1);
  [line.pos, line.posMax] = [end, max];
  return true;
};

function pushPlayer(line: Line, { target: { href, label }, end }: ParsedLink): void {
  line.pushAtom({ kind: 'audio', href, title: label });
  line.pos = end;
}

/** What is recognized in the text of a link. All else there is plain text. */
const inLabel = [codeSpan, mention, math, internalLink, time];

function readLabel(line: Line): void {
  while (line.pos < line.posMax) {
    if (inLabel.some((rule) => rule(line))) continue;
    const character = line.src[line.pos] ?? '';
    if (character === '\n') line.push('softbreak', 'br', 0);
    else line.pending += character;
    line.pos += 1;
  }
}

/**
 * Reads `![title](address)`. That of a sound is a player. Of anything else it is no link, because clients know no
 * pictures in a text.
 */
export const picture: InlineRule = (line) => {
  if (line.src[line.pos] !== '!' || line.src[line.pos + 1] !== '[') return false;
  const parsed = readLink(line, line.pos + 1);
  if (!parsed) return false;
  if (isSound(parsed.target.href)) {
    pushPlayer(line, parsed);
  } else {
    line.pending += '![';
    line.pos += 2;
  }
  return true;
};
