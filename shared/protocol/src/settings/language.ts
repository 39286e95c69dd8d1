import { z } from 'zod';

const names = new Intl.DisplayNames(['en'], { type: 'language' });

/** The locale for a language code such as `pt_PT` or `zh-hans`; null if no such language is known. */
function findLocale(code: string): string | null {
  try {
    const [locale] = Intl.DisplayNames.supportedLocalesOf([code.replace('_', '-')]);
    return locale ?? null;
  } catch {
    return null;
  }
}

/** The code of a known language. */
export const Language = z
  .string()
  .min(1)
  .max(50)
  .refine((code) => findLocale(code) !== null, 'is not a known language');

/** Returns the English name of a language. */
export function languageName(code: string): string {
  const locale = findLocale(code);
  return (locale && names.of(locale)) ?? code;
}
