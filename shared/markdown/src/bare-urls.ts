import { findUrls } from './find-urls.ts';
import type { LinkifierMatch } from './linkifiers.ts';

/** Returns web addresses in a text that is not Markdown. An address without a scheme gets https. */
export const findBareUrls = (text: string): LinkifierMatch[] =>
  findUrls(text).flatMap((match) => {
    const url = match.url === match.text ? match.url : match.url.replace(/^http:/, 'https:');
    return /^(?:https?|ftp):/i.test(url) ? [{ ...match, url }] : [];
  });
