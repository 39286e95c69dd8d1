import { createRequire } from 'node:module';

import { LinkifyIt } from 'linkify-it';

const require = createRequire(import.meta.url);
// Safe: the version is pinned, and the package consists of this list.
const tlds = require('tlds') as string[];

const schemes = new Set(
  `http https ftp file bitcoin geo im irc ircs magnet mailto matrix mms news nntp openpgp4fpr sip sms smsto ssh
   tel urn webcal wtai xmpp`.split(/\s+/),
);

/** Endings of file names that are also top-level domains. */
const fileEndings = new Set(['java', 'md', 'mov', 'py', 'zip']);

/**
 * The address that a link leads to; null if its scheme is not allowed, since it might run code, or if it is not an
 * address.
 */
export function safeUrl(written: string, realmUrl: string): string | null {
  // Browsers remove some of these characters before they look for a scheme.
  if (written === '' || /[\0-\u0020\u007f]/.test(written)) return null;
  const local = localPart(written, realmUrl);
  if (local !== null) return local;
  if (written.startsWith('//')) return `http:${written}`;
  if (written.startsWith('/') || written.startsWith('#')) return written;
  const scheme = /^([a-z][a-z0-9+.-]*):(?!\d+(?:[/?#]|$))/i.exec(written)?.[1];
  if (scheme !== undefined) return schemes.has(scheme.toLowerCase()) ? written : null;
  if (/^[^@/:?#]+@[^@/:?#]+$/.test(written)) return `mailto:${written}`;
  return `http://${written}`;
}

/** The relative form of an address within the application or of an upload. */
function localPart(url: string, realmUrl: string): string | null {
  if (!url.startsWith(`${realmUrl}/`)) return null;
  const rest = url.slice(realmUrl.length + 1);
  return rest.startsWith('#') || rest.startsWith('user_uploads/') ? rest : null;
}

/** The path id of the upload that a link leads to, if it leads to one. */
export const uploadOf = (href: string): string | null =>
  /^\/?user_uploads\/(?:thumbnail\/)?(\d{1,10}\/[^\s?#]+)/.exec(href)?.[1] ?? null;

/** The file ending of an address in lower case with its dot: `.png`. */
export const endingOf = (href: string): string =>
  /^[^?#]*(\.[a-z0-9]{1,5})(?:[?#]|$)/i.exec(href)?.[1]?.toLowerCase() ?? '';

const linkify = new LinkifyIt({ fuzzyLink: true, tlds: tlds.filter((tld) => !fileEndings.has(tld)) })
  .add('//', null)
  .add('bitcoin:', {
    validate: (text, at) => /^[a-z0-9]{20,90}/i.exec(text.slice(at, at + 91))?.[0].length ?? 0,
  });

const mayHoldUrl = /:\/\/|\.[^\s.]|@|bitcoin:/i;
/** Delimiters of emphasis may enclose an address, too. */
const before = /[\s'"(,:<*~]/;
const after = /^[!:;?),.'">]*(?:\s|[*~]|$)/;

export interface FoundUrl {
  start: number;
  end: number;
  /** The address as it is written. */
  text: string;
  /** The address with a scheme. */
  url: string;
}

/** Delimiters of emphasis before a word, which are not part of an address there. */
const openingDelimiters = /(?<=^|\s)[*~]+/g;

/** The addresses in a text that are not part of other markup. */
export function findUrls(text: string): FoundUrl[] {
  if (!mayHoldUrl.test(text)) return [];
  const searched = /[*~]/.test(text)
    ? text.replaceAll(openingDelimiters, ({ length }) => ' '.repeat(length))
    : text;
  return (linkify.match(searched) ?? []).flatMap(
    ({ index, lastIndex, schema }) => readUrl(text, index, lastIndex, schema) ?? [],
  );
}

function readUrl(text: string, start: number, lastIndex: number, schema: string): FoundUrl | null {
  if (start > 0 && !before.test(text[start - 1] ?? '')) return null;
  const candidate = text.slice(start, lastIndex);
  // A code span takes precedence over an address.
  const written = candidate.replace(/`.*$/s, '').replace(/[*~]+$/, '');
  const isNamed = schema !== '' && written.toLowerCase().startsWith(schema);
  if (isNamed ? /^[^:]+:\/*$/.test(written) : candidate.includes('`')) return null;
  const end = start + written.length;
  if (!after.test(text.slice(end, end + 20))) return null;
  const scheme = isNamed ? '' : schema === 'mailto:' ? 'mailto:' : 'http://';
  return { start, end, text: written, url: scheme + written };
}
