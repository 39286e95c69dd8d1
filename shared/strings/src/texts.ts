import { IntlMessageFormat } from 'intl-messageformat';

import type { LanguageTag } from './languages.ts';

type Value = string | number;

/** A text with values in it, in the format of ICU messages. */
export interface Message<Names extends readonly string[] = readonly string[]> {
  readonly text: string;
  /** What its arguments are called, in the order in which they are given. */
  readonly names: Names;
}

/** Describes a text with values in it; `names` are its arguments, in the order in which they will be given. */
export const icu = <const Names extends readonly string[]>(
  text: string,
  ...names: Names
): Message<Names> => ({
  text,
  names,
});

export interface Texts {
  readonly [key: string]: string | Message | Texts;
}

/** The same texts, each in one language; those with values in them as functions of the values. */
export type TranslatedTexts<Part> =
  Part extends Message<infer Names>
    ? ((...values: { -readonly [Name in keyof Names]: Value }) => string) & { readonly names: Names }
    : Part extends string
      ? string
      : { readonly [Key in keyof Part]: TranslatedTexts<Part[Key]> };

/** A language, and what is translated into it. */
export interface Language {
  tag: LanguageTag;
  /** The texts of the language, by their keys; none in the language that the catalogue is written in. */
  texts: Readonly<Record<string, string>>;
}

const isMessage = (part: string | Message | Texts): part is Message =>
  typeof part === 'object' && Array.isArray(part['names']);

/**
 * Returns texts in a language. Each has the key that its place says, “action.reply”; one that is not translated is shown as
 * it is written.
 */
export function translate<const Part extends Texts>(
  name: string,
  texts: Part,
  language: Language,
): TranslatedTexts<Part> {
  const entries = Object.entries(texts).map(([key, text]) => [
    key,
    translated(`${name}.${key}`, text, language),
  ]);
  // Safe: each text has become what `TranslatedTexts` says.
  return Object.fromEntries(entries) as TranslatedTexts<Part>;
}

function translated(key: string, part: string | Message | Texts, language: Language): unknown {
  if (typeof part !== 'string' && !isMessage(part)) return translate(key, part, language);
  const { tag, texts } = language;
  if (typeof part === 'string') return texts[key] ?? part;
  return formatter(texts[key] ?? part.text, tag, part.names);
}

/** Makes something once for the same arguments. Formats of the browser take much longer to make than to use. */
function kept<Args extends readonly unknown[], Made>(make: (...args: Args) => Made): (...args: Args) => Made {
  const made = new Map<string, Made>();
  return (...args) => {
    const key = JSON.stringify(args);
    const known = made.get(key) ?? make(...args);
    made.set(key, known);
    return known;
  };
}

const formatters = {
  getNumberFormat: kept(
    (...args: ConstructorParameters<typeof Intl.NumberFormat>) => new Intl.NumberFormat(...args),
  ),
  getDateTimeFormat: kept(
    (...args: ConstructorParameters<typeof Intl.DateTimeFormat>) => new Intl.DateTimeFormat(...args),
  ),
  getPluralRules: kept(
    (...args: ConstructorParameters<typeof Intl.PluralRules>) => new Intl.PluralRules(...args),
  ),
};

// Every browser has our languages. To ask which ones it has reads all that it knows of them: a tenth of a second on a slow device.
IntlMessageFormat.resolveLocale = (tag) => new Intl.Locale(String(tag));

/** Parses the text when it is formatted for the first time: most are not, of those that a page or a process knows. */
function formatter(text: string, tag: string, names: readonly string[]) {
  const parsed: { format?: IntlMessageFormat } = {};
  const formatted = (...values: readonly Value[]): string => {
    parsed.format ??= new IntlMessageFormat(text, tag, undefined, { ignoreTag: true, formatters });
    return String(
      parsed.format.format(Object.fromEntries(names.map((name, index) => [name, values[index]]))),
    );
  };
  return Object.assign(formatted, { names });
}
