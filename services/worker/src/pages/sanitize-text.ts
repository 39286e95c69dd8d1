/** What would break a line, hide, or turn the text around it. */
const unsafeCharacters = /[\p{Cc}\p{Cs}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** A stranger's words, on one line and not longer than `lengthMax` code points. */
export function sanitizeText(text: string, lengthMax: number): string {
  const line = text.replaceAll(unsafeCharacters, ' ').replaceAll(/\s+/g, ' ').trim();
  const letters = [...line];
  return letters.length <= lengthMax
    ? line
    : `${letters
        .slice(0, lengthMax - 1)
        .join('')
        .trimEnd()}…`;
}

/** An address as a stranger gives it, from where it stands; null of what is none, not on the web, or endless. */
export function parseWebUrl(written: string, base: string, lengthMax: number): string | null {
  // An address has no use for more, and longer ones are slow to read.
  if (written.trim() === '' || written.length > lengthMax || !URL.canParse(written, base)) return null;
  const url = new URL(written, base);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return null;
  url.username = '';
  url.password = '';
  return url.href.length > lengthMax ? null : url.href;
}
