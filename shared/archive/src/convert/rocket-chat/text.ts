import { emojiCodeOf, emojiNameOf } from '../emoji.ts';
import { refer } from '../foreign.ts';
import { codeBlock, link, mentionAll } from '../markup.ts';
import { cleanText } from '../texts.ts';

/** The most characters that are translated. The longest message of Rocket.Chat has a twentieth of it by default. */
const rawMax = 100_000;

/** What names in a text stand for. */
export interface Names {
  /** Returns the key of the account with a user name. */
  readonly person: (name: string) => string | undefined;
  /** Returns the key of the channel with a name. */
  readonly channel: (name: string) => string | undefined;
  /** Returns the name that a custom emoji has here. */
  readonly emoji: (name: string) => string | undefined;
}

/** Marks the place of what is not to be changed while styles are looked for. No text of an archive has this character. */
const held = '\u0005';

/** Returns what finds words between one or two marks of a style: not inside of words, and without spaces at the ends. */
function style(mark: string): RegExp {
  const noWord = `[\\p{L}\\p{N}${mark}]`;
  const inner = `(?![\\s${mark}])([^${mark}\\n]{1,2000}?)(?<!\\s)`;
  return new RegExp(`(?<!${noWord})([${mark}]{1,2})${inner}\\1(?!${noWord})`, 'gu');
}

const [bold, struck, italic] = [style('*'), style('~'), style('_')];

/** What is not to be changed, each of which is a part of it: links, addresses, mentions, channels and emoji. */
const fixed = new RegExp(
  [
    /\[(?<words>[^\]\n]{0,1000})\]\((?<url>[^()\s]{1,2000})\)/,
    /<(?<address>https?:[^<>|\s]{1,2000})(?:\|(?<shown>[^<>\n]{0,1000}))?>/,
    /(?<bare>https?:\/\/[^\s<>]{1,2000})/,
    /(?<![\w@/.])@(?<user>[\w][\w.:@-]{0,99})/,
    /(?<![\w#/&])#(?<channel>[\p{L}\p{N}_][\p{L}\p{N}_.-]{0,99})/u,
    /:(?<emoji>[\w+-]{1,60}):/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'giu',
);

/** Returns a piece of a text without code in it as Markdown. */
function ofProse(text: string, names: Names): string {
  const kept: string[] = [];
  const marked = text.replaceAll(fixed, (whole, ...rest) => {
    // Safe: the last argument is the groups of the pattern.
    const groups = rest.at(-1) as Record<string, string | undefined>;
    kept.push(ofFixed(whole, groups, names));
    return held;
  });
  const styled = marked.replaceAll(bold, '**$2**').replaceAll(struck, '~~$2~~').replaceAll(italic, '*$2*');
  let next = 0;
  return styled.replaceAll(held, () => {
    next += 1;
    return kept[next - 1] ?? '';
  });
}

function ofFixed(whole: string, groups: Record<string, string | undefined>, names: Names): string {
  const { words, url, address, shown, user, channel, emoji } = groups;
  // An empty link leads to the message that is quoted below.
  if (url !== undefined)
    return words?.trim() === '' ? '' : /^https?:/i.test(url) ? link(words ?? '', url) : whole;
  if (address !== undefined) return link(shown ?? '', address);
  if (user !== undefined) return mentionOf(whole, user, names);
  if (channel !== undefined) return longestName(channel, names.channel, 'channel') ?? whole;
  if (emoji !== undefined) return emojiOf(whole, emoji, names);
  return whole;
}

function mentionOf(whole: string, user: string, names: Names): string {
  const [, all, end] = /^(all|here)(.*)$/is.exec(user) ?? [];
  if (all !== undefined && !/^[\w]/.test(end ?? '')) return `${mentionAll}${end}`;
  return longestName(user, names.person, 'person') ?? whole;
}

/** Returns a reference to what has a name. A full stop or a colon behind it may be the sentence's. */
function longestName(
  name: string,
  find: (name: string) => string | undefined,
  what: 'person' | 'channel',
): string | undefined {
  for (let end = name.length; end > 0; end -= 1) {
    const key = find(name.slice(0, end).toLowerCase());
    if (key !== undefined) return `${refer(what, key)}${name.slice(end)}`;
    if (!/[.:@_-]/.test(name[end - 1] ?? '')) break;
  }
  return undefined;
}

function emojiOf(whole: string, name: string, { emoji }: Names): string {
  const own = emoji(name);
  if (own !== undefined) return `:${own}:`;
  const code = emojiCodeOf(name.replace(/_tone[1-5]$/, ''));
  return code === undefined ? whole : `:${emojiNameOf(code)}:`;
}

/** Returns a text of Rocket.Chat as Markdown, with people, channels and emoji as they are named here. */
export function ofRocketChat(raw: string, names: Names): string {
  return cleanText(raw.slice(0, rawMax))
    .split(/(```[\s\S]*?```|`[^`\n]+`)/)
    .map((piece, index) => {
      if (index % 2 === 0) return ofProse(piece, names);
      const [, line] = /^```([^\n]+)```$/.exec(piece) ?? [];
      return line === undefined ? piece : codeBlock(line);
    })
    .join('')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim();
}
