import { type Language, joinNames } from '@parley/strings';

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

/** Names as a heading or a cell of a table lists them: “Ann, Bo, Cy”. */
export const listNames = (names: readonly string[]): string => joinNames(names, current.tag);
