import { type LanguageTag, languageNames, languageOf } from '@parley/strings';
import type { Context } from 'hono';
import { accepts } from 'hono/accepts';

/** Browsers send less. A longer header names no language. */
const lengthMax = 1000;

/**
 * Returns the language that the Accept-Language header of a request prefers of those that there are (RFC 9110, section
 * 12.5.4); null if it names none of them. `*` names none.
 */
export function acceptedLanguage(c: Context): LanguageTag | null {
  if ((c.req.header('accept-language') ?? '').length > lengthMax) return null;
  const preferred = accepts(c, {
    header: 'Accept-Language',
    supports: Object.keys(languageNames),
    default: '',
    match: (wishes) => wishes.find(({ type, q }) => q > 0 && languageOf(type) !== null)?.type ?? '',
  });
  return languageOf(preferred);
}
