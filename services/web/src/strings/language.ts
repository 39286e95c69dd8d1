import type { LanguageTag } from './languages.ts';

interface Language {
  tag: LanguageTag;
  /** The texts of the language, by their keys; none in the language that the catalogue is written in. */
  texts: Readonly<Record<string, string>>;
}

/** The language of the page. It is chosen before anything reads a text, and stays: whoever chooses another loads the page anew. */
const current: Language = { tag: 'en', texts: {} };

export const language = (): Readonly<Language> => current;

export function useLanguage(chosen: Language): void {
  Object.assign(current, chosen);
}

/** What times, numbers and names are written and sorted by: the language, as it is used where the reader is, if they say so. */
export function locale(): string {
  const wished = globalThis.navigator?.languages ?? [];
  return wished.find((tag) => tag.split('-')[0] === current.tag) ?? current.tag;
}

/** Names as a sentence enumerates them: “Ann, Bo, and Cy”. */
export const enumerate = (names: readonly string[]): string =>
  new Intl.ListFormat(current.tag, { type: 'conjunction' }).format(names);

/** What stands between names in a heading or a cell of a table. */
const separators: Partial<Record<LanguageTag, string>> = { ja: '、', ar: '، ' };

/** Names as a heading or a cell of a table lists them: “Ann, Bo, Cy”. */
export const listNames = (names: readonly string[]): string => names.join(separators[current.tag] ?? ', ');
