const inlineLengthMax = 200;
const quoteLengthMax = 4000;
const itemsMax = 20;

/** Returns at most `max` characters of a text. */
export function shorten(text: string, max: number): string {
  // A longer text is cut before it is taken apart, so that it costs no more than it shows.
  const start = text.slice(0, 2 * max + 2);
  const points = [...start];
  return points.length <= max ? text : `${points.slice(0, max - 1).join('')}…`;
}

/** Returns a text of strangers, such as a title, as a part of a line: it makes no mention, link, code or widget. */
export const inline = (text: string): string =>
  shorten(
    text
      .slice(0, 20 * inlineLengthMax)
      .replaceAll(/[\s\p{Cc}\p{Cs}]+/gu, ' ')
      .trim()
      .replace(/^\/+/, ''),
    inlineLengthMax,
  )
    .replaceAll(/([@#])(?=[_*])/g, '$1\u200B')
    .replaceAll('[', '(')
    .replaceAll(']', ')')
    .replaceAll('`', "'");

/** Returns a link whose words are a text of strangers; the words alone if the address is no web address. */
export function link(text: string, url: string | null | undefined): string {
  const words = inline(text);
  if (!url || !URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) return words;
  const address = new URL(url).href.replaceAll('(', '%28').replaceAll(')', '%29');
  return words === '' ? address : `[${words}](${address})`;
}

/**
 * Returns a text of strangers as a block of quoted Markdown, in which mentions are silent. Nothing for an empty one.
 */
export function quote(text: string | null | undefined): string {
  const trimmed = shorten((text ?? '').trim(), quoteLengthMax);
  return trimmed === '' ? '' : fenced('quote', trimmed);
}

/** Returns a text as a block, in a fence that is longer than any in the text. */
export function fenced(kind: string, text: string): string {
  const longest = (text.match(/~{3,}|`{3,}/g) ?? []).reduce((max, { length }) => Math.max(max, length), 2);
  const fence = '~'.repeat(longest + 1);
  return `\n${`${fence} ${kind}`.trimEnd()}\n${text}\n${fence}`;
}

/** Returns the first of some items as a list, and how many more there are. */
export function list(items: readonly string[]): string {
  const more = items.length - itemsMax;
  return [
    ...items.slice(0, itemsMax).map((item) => `\n* ${item}`),
    ...(more > 0 ? [`\n* and ${more} more`] : []),
  ].join('');
}

/** Returns a number with the word for what is counted. */
export const count = (number: number, word: string) => `${number} ${word}${number === 1 ? '' : 's'}`;

/** Returns what is known of something as a list; what is not known is left out. */
export const facts = (known: Readonly<Record<string, string | null | undefined>>): string =>
  list(Object.entries(known).flatMap(([name, value]) => (value ? [`**${name}**: ${inline(value)}`] : [])));
