import { z } from 'zod';

const names = new Intl.DisplayNames(['en'], { type: 'language' });

/** The locale that a language code names, as `pt_PT` or `zh-hans`; null for none that anybody speaks. */
function findLocale(code: string): string | null {
  try {
    const [locale] = Intl.DisplayNames.supportedLocalesOf([code.replace('_', '-')]);
    return locale ?? null;
  } catch {
    return null;
  }
}

/** The code of a language that there are translations for. */
export const Language = z
  .string()
  .min(1)
  .max(50)
  .refine((code) => findLocale(code) !== null, 'is not a known language');

/** The English name of a language. */
export function languageName(code: string): string {
  const locale = findLocale(code);
  return (locale && names.of(locale)) ?? code;
}
