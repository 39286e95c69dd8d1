/** The languages of the client, by their tags (BCP 47), each by the name that its speakers give it. */
export const languageNames = {
  en: 'English',
  de: 'Deutsch',
  fr: 'Français',
  es: 'Español',
  ja: '日本語',
  ar: 'العربية',
} as const;

export type LanguageTag = keyof typeof languageNames;

/** What of the server's setting and of the browser's wishes is a language of the client: “de-AT” is “de”. */
export function languageOf(tag: string): LanguageTag | null {
  const [primary = ''] = tag.toLowerCase().split(/[-_]/);
  return primary in languageNames ? (primary as LanguageTag) : null;
}

const rightToLeft: ReadonlySet<string> = new Set(['ar']);
export const directionOf = (tag: LanguageTag): 'rtl' | 'ltr' => (rightToLeft.has(tag) ? 'rtl' : 'ltr');
