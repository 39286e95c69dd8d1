import type { LinkifierMatch } from './linkifiers.ts';
import { findUrls } from './urls.ts';

/** Web addresses in a text that is not Markdown; one without a scheme is taken to be served securely. */
export const findBareUrls = (text: string): LinkifierMatch[] =>
  findUrls(text).flatMap((found) => {
    const url = found.url === found.text ? found.url : found.url.replace(/^http:/, 'https:');
    return /^(?:https?|ftp):/i.test(url) ? [{ ...found, url }] : [];
  });
