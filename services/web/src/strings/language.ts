/** The language that the catalogue is written in. What depends on its grammar is decided in this file. */
const language = 'en';

const pluralRules = new Intl.PluralRules(language);
const lists = new Intl.ListFormat(language, { type: 'conjunction' });

type Forms = Readonly<Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }>;

/** The form of a text that agrees with a number. */
export const plural = (count: number, forms: Forms): string =>
  forms[pluralRules.select(count)] ?? forms.other;

/** Names as a sentence enumerates them: “Ann, Bo, and Cy”. */
export const enumerate = (names: readonly string[]): string => lists.format(names);

/** Names as a heading or a cell of a table lists them: “Ann, Bo, Cy”. */
export const listNames = (names: readonly string[]): string => names.join(', ');
