import { LinkifyIt } from 'linkify-it';

import type { LinkifierMatch } from './linkifiers.ts';

/** Top-level domains that are more often the ends of file names. */
const fileEndings = /\.(?:java|md|mov|py|zip)$/i;
const schemes = new Set(['http:', 'https:', 'ftp:']);

const linkify = new LinkifyIt({ fuzzyLink: true, fuzzyEmail: false });

/** Web addresses in a text that is not Markdown; one without a scheme is taken to be served securely. */
export function findBareUrls(text: string): LinkifierMatch[] {
  return (linkify.match(text) ?? []).flatMap((match) => {
    const { schema, index: start, lastIndex: end, raw } = match;
    if (schema === '') {
      const [host = ''] = raw.split(/[/?#:]/);
      return fileEndings.test(host) ? [] : [{ start, end, text: raw, url: `https://${raw}` }];
    }
    return schemes.has(schema) ? [{ start, end, text: raw, url: raw }] : [];
  });
}
