import { unsafeCharacters } from '@parley/protocol';

/** Returns text from an outside server, on one line and cut to `lengthMax` code points. */
export function sanitizeText(text: string, lengthMax: number): string {
  const line = text.replaceAll(unsafeCharacters, ' ').replaceAll(/\s+/g, ' ').trim();
  const codePoints = [...line];
  return codePoints.length <= lengthMax
    ? line
    : `${codePoints
        .slice(0, lengthMax - 1)
        .join('')
        .trimEnd()}…`;
}

/**
 * Parses a URL from an outside server, relative to `base`. Returns null if it is not a URL, not HTTP, or longer than
 * `lengthMax`.
 */
export function parseWebUrl(address: string, base: string, lengthMax: number): string | null {
  // Longer URLs are useless, and slow to parse.
  if (address.trim() === '' || address.length > lengthMax || !URL.canParse(address, base)) return null;
  const url = new URL(address, base);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return null;
  url.username = '';
  url.password = '';
  return url.href.length > lengthMax ? null : url.href;
}
