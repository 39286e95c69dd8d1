import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
// Safe: the version is pinned, and the package consists of this list.
const tlds = require('tlds') as string[];

/** Endings of file names that are also top-level domains. */
const fileEndings = new Set(['java', 'md', 'mov', 'py', 'zip']);
const domains = new Set(tlds.filter((tld) => !fileEndings.has(tld)));

export interface FoundUrl {
  start: number;
  end: number;
  /** The address as it is written. */
  text: string;
  /** The address with a scheme. */
  url: string;
}

/** No top-level domain begins with a digit. */
const mayHoldUrl = /:\/\/|\.[^\s.\d]|@|bitcoin:/i;

/** Delimiters of emphasis may enclose an address, too. */
const before = String.raw`(?<![^\s'"(,:<*~])`;
const after = /[!:;?),.'">]*(?:\s|[*~]|$)/y;
/** Characters of a word, to stand in brackets. */
const word = String.raw`\p{L}\p{M}\p{N}_`;
const host = String.raw`(?:[${word}\-]+\.)+[${word}]+(?:-+[${word}]+)*`;
/** Letters of ASCII in any case: a flag for it would take V8 twice as long to compile, because of what letters there are. */
const anyCase = (text: string) => text.replaceAll(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`);
/**
 * V8 compiles it in some milliseconds, and again when it has not been used while garbage was collected twice. So a text that
 * can hold no address does not use it, and what takes that time, the classes of letters, is in it as seldom as possible.
 */
const addressStart = new RegExp(
  `${before}(?:${[
    String.raw`(?:${anyCase('http')}[sS]?|${anyCase('ftp')}):\/\/[${word}.:@\-]*(?:\[[\da-fA-F:.]{2,45}\](?::\d{1,5})?)?`,
    `${anyCase('bitcoin')}:[a-zA-Z0-9]{20,90}`,
    String.raw`(?<mailbox>(?:${anyCase('mailto')}:)?[${word}.+\-]+@)?(?<host>${host})`,
  ].join('|')})`,
  'gu',
);

/** Returns the addresses in a text that are not part of other markup, in time that grows linearly with the text. */
export function findUrls(text: string): FoundUrl[] {
  if (!mayHoldUrl.test(text)) return [];
  const found: FoundUrl[] = [];
  const ends = new Map<number, number | null>();
  let stops: Int32Array | undefined;
  let from = 0;
  for (const { index: start, 0: written, groups = {} } of text.matchAll(addressStart)) {
    const { host, mailbox } = groups;
    if (start < from || (host !== undefined && mailbox === undefined && !isDomain(host))) continue;
    let stop = start + written.length;
    if (mailbox === undefined && '/?#'.includes(text[stop] ?? ' '))
      stop = (stops ??= findStops(text))[stop] ?? stop;
    // Addresses that stop at the same place look for their end only once.
    if (!ends.has(stop)) ends.set(stop, endBefore(text, stop));
    const end = ends.get(stop) ?? start;
    const address = text.slice(start, end);
    if (end <= start || /^[a-z]+:[/.:@]*$/i.test(address)) continue;
    found.push({ start, end, text: address, url: schemeOf(groups) + address });
    from = end;
  }
  return found;
}

const isDomain = (host: string) => domains.has(host.slice(host.lastIndexOf('.') + 1).toLowerCase());

function schemeOf({ host, mailbox }: Record<string, string | undefined>): string {
  if (mailbox !== undefined) return /^mailto:/i.test(mailbox) ? '' : 'mailto:';
  return host === undefined ? '' : 'http://';
}

/**
 * Where an address ends that stops at this position; null if none may end there. Punctuation before it belongs to the
 * sentence, and delimiters to the emphasis around it.
 */
function endBefore(text: string, stop: number): number | null {
  let end = stop;
  while (end > 0 && "!:;?,.'>*~".includes(text[end - 1] ?? '')) end -= 1;
  after.lastIndex = end;
  return after.test(text) ? end : null;
}

/**
 * For each position the end of a path that goes on there: the next space, quotation mark, backtick, or parenthesis
 * that is not closed, or not opened, between. Parentheses in pairs belong to the path.
 */
function findStops(text: string): Int32Array {
  const closers = pairParentheses(text);
  const stops = new Int32Array(text.length + 1);
  let around = [text.length];
  for (let at = text.length; at >= 0; at -= 1) {
    const character = text[at] ?? ' ';
    const closer = closers.get(at);
    if (character === ')' && closer !== undefined) {
      stops[at] = at;
      around.push(at);
      continue;
    }
    if (character === '(' && closer !== undefined) around.pop();
    else if (/[\s"`()]/.test(character)) around = [at];
    stops[at] = around.at(-1) ?? at;
  }
  return stops;
}

/** The other one of each pair of parentheses in which there is no space, quotation mark or backtick. */
function pairParentheses(text: string): Map<number, number> {
  const pairs = new Map<number, number>();
  let open: number[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at] ?? '';
    if (character === '(') open.push(at);
    else if (character === ')') {
      const opener = open.pop();
      if (opener !== undefined) pairs.set(opener, at).set(at, opener);
    } else if (/[\s"`]/.test(character)) open = [];
  }
  return pairs;
}
