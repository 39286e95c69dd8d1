import type { MarkdownIt } from 'markdown-it';

import { staticHtml } from '../atoms.ts';
import { emojiHtml } from '../emoji.ts';
import type { InlineRule } from '../line.ts';
import { codeSpan, math, time } from './enclosed.ts';
import { link, picture } from './links.ts';
import { internalLink, mention } from './names.ts';

const stops = new Uint8Array(128);
for (const character of '\n!#$&:<@[`') stops[character.charCodeAt(0)] = 1;

const text: InlineRule = (line) => {
  const next = line.matchFrom(line.pos);
  const end = Math.min(next?.start ?? line.posMax, line.posMax);
  let pos = line.pos;
  while (pos < end && stops[line.src.charCodeAt(pos)] !== 1) pos += 1;
  if (pos === line.pos) return false;
  line.pending += line.src.slice(line.pos, pos);
  line.pos = pos;
  return true;
};

const emojiName = /:([\p{L}\p{N}_.+-]{1,100}):/uy;

const emoji: InlineRule = (line) => {
  if (line.src[line.pos] !== ':') return false;
  emojiName.lastIndex = line.pos;
  const name = emojiName.exec(line.src)?.[1];
  if (name === undefined || line.pos + name.length + 2 > line.posMax) return false;
  const shown = line.options.emoji(name);
  if (!shown) return false;
  line.pushAtom(staticHtml(emojiHtml(name, shown), `:${name}:`));
  line.pos += name.length + 2;
  return true;
};

const textMatch: InlineRule = (line) => {
  const match = line.matchFrom(line.pos);
  if (match?.start !== line.pos || match.end > line.posMax) return false;
  line.pushAtom(match.atom);
  line.pos = match.end;
  return true;
};

const rules: readonly (readonly [string, InlineRule])[] = [
  ['code_span', codeSpan],
  ['mention', mention],
  ['math', math],
  ['internal_link', internalLink],
  ['time', time],
  ['link', link],
  ['picture', picture],
  ['emoji', emoji],
  ['text_match', textMatch],
];

/** Adds the inline rules, in the order in which they are tried at a position. */
export function addInlineRules(md: MarkdownIt): void {
  md.inline.ruler.at('text', asRule(text));
  for (const [name, rule] of rules) md.inline.ruler.push(`parley_${name}`, asRule(rule));
}

// Safe: the parser creates the state of its inline rules with its own State, which is Line. It never looks ahead,
// because only its own rules for links and emphasis do, and these are not enabled.
const asRule = (rule: InlineRule) => rule as unknown as Parameters<MarkdownIt['inline']['ruler']['push']>[1];
