import { refer } from '../foreign.ts';
import { codeBlock, inlineCode, link, mentionAll, quoteOf } from '../markup.ts';
import { cleanText } from '../texts.ts';

/** The most characters that are translated. The longest message of Slack has less than half as many. */
const rawMax = 100_000;

const entities: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>' };

/** Returns a text in which Slack's escapes are what they stand for. */
const unescapeText = (text: string): string =>
  text.replaceAll(/&(?:amp|lt|gt);/g, (entity) => entities[entity] ?? entity);

/** Returns what Slack writes between angle brackets as Markdown. */
function ofReference(target: string, words: string | undefined): string {
  const kind = target[0];
  const key = target.slice(1);
  if (kind === '@') return refer('person', key);
  if (kind === '#') return refer('channel', key);
  if (kind !== '!') return link(unescapeText(words ?? ''), unescapeText(target));
  if (/^(?:here|channel|everyone)\b/.test(key)) return mentionAll;
  return unescapeText(words ?? `@${key.split('^')[0] ?? ''}`);
}

/** Returns what finds words between two marks of a style, as Slack does: not inside of words, and without spaces at the ends. */
function style(mark: string): RegExp {
  const [sign, inner] = [`[${mark}]`, `(?![\\s${mark}])([^${mark}\\n]{1,2000}?)(?<!\\s)`];
  const noWord = `[\\p{L}\\p{N}${mark}]`;
  return new RegExp(`(?<!${noWord})${sign}${inner}${sign}(?!${noWord})`, 'gu');
}

const [bold, struck, italic] = [style('*'), style('~'), style('_')];

/** Marks the place of a link or a mention while styles are looked for. No text of an archive has this character. */
const held = '\u0005';

/** Returns a piece of mrkdwn without code in it as Markdown. */
function ofProse(text: string): string {
  const references: string[] = [];
  const marked = text
    .replaceAll(/<([^<>|\n]{1,4000})(?:\|([^<>\n]{0,4000}))?>/g, (_, target: string, words?: string) => {
      references.push(ofReference(target, words));
      return held;
    })
    .replaceAll(bold, '**$1**')
    .replaceAll(struck, '~~$1~~')
    .replaceAll(italic, '*$1*')
    .replace(/^[ \t]*&gt;&gt;&gt;\s?([\s\S]*)/m, (_, quoted: string) => quoteOf(quoted))
    .replaceAll(/^[ \t]*&gt;[ \t]?/gm, '> ')
    .replaceAll(/^([ \t]*)[•◦▪][ \t]+/gm, '$1* ');
  let next = 0;
  return unescapeText(marked).replaceAll(held, () => {
    next += 1;
    return references[next - 1] ?? '';
  });
}

/** Returns links inside of code as the text that people see. */
const plainLinks = (code: string): string =>
  unescapeText(
    code.replaceAll(
      /<([^<>|\n]+)(?:\|([^<>\n]*))?>/g,
      (_, target: string, words?: string) => words ?? target,
    ),
  );

/** Returns mrkdwn, the markup of Slack, as Markdown. */
export function ofMrkdwn(raw: string): string {
  const text = cleanText(raw.slice(0, rawMax));
  const pieces = text.split(/(```[\s\S]*?```|`[^`\n]+`)/);
  return pieces
    .map((piece, index) => {
      if (index % 2 === 0) return ofProse(piece);
      if (piece.startsWith('```') && piece.length >= 6) return codeBlock(plainLinks(piece.slice(3, -3)));
      return inlineCode(plainLinks(piece.slice(1, -1)));
    })
    .join('')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim();
}
