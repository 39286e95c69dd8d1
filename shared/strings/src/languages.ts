/** The languages that people read Parley in, by their tags (BCP 47), each by the name that its speakers give it. */
export const languageNames = {
  en: 'English',
  de: 'Deutsch',
  fr: 'Français',
  es: 'Español',
  ja: '日本語',
  ar: 'العربية',
} as const;

export type LanguageTag = keyof typeof languageNames;

/** Returns the language that a setting, or a wish of a browser, means: “de-AT” is “de”; null if it means none of them. */
export function languageOf(tag: string): LanguageTag | null {
  const [primary = ''] = tag.toLowerCase().split(/[-_]/);
  return Object.hasOwn(languageNames, primary) ? (primary as LanguageTag) : null;
}

/** Returns the language in which the server speaks to whoever has a setting: English, where it has no texts in that. */
export const serverLanguageOf = (setting: string): LanguageTag => languageOf(setting) ?? 'en';

/** What stands between names in a heading or a list. */
const separators: Partial<Record<LanguageTag, string>> = { ja: '、', ar: '، ' };

/** Returns names as a heading or a cell of a table lists them: “Ann, Bo, Cy”. */
export const joinNames = (names: readonly string[], tag: LanguageTag): string =>
  names.join(separators[tag] ?? ', ');

const rightToLeft: ReadonlySet<string> = new Set(['ar']);
export const directionOf = (tag: LanguageTag): 'rtl' | 'ltr' => (rightToLeft.has(tag) ? 'rtl' : 'ltr');
