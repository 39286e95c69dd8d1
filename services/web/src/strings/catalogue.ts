import { IntlMessageFormat } from 'intl-messageformat';

import { language } from './language.ts';

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

/** The same texts, each in the language of the page; those with values in them as functions of the values. */
type Read<Part> =
  Part extends Message<infer Names>
    ? (...values: { -readonly [Name in keyof Names]: Value }) => string
    : Part extends string
      ? string
      : { readonly [Key in keyof Part]: Read<Part[Key]> };

const isMessage = (part: string | Message | Texts): part is Message =>
  typeof part === 'object' && Array.isArray(part['names']);

/**
 * Puts texts into the catalogue, each under the key that its place says, “action.reply”, and returns them in the language of
 * the page. A text that is not translated is shown as it is written.
 */
export function catalogue<const Part extends Texts>(name: string, texts: Part): Read<Part> {
  const entries = Object.entries(texts).map(([key, text]) => [key, read(`${name}.${key}`, text)]);
  // Safe: each text has become what `Read` says.
  return Object.fromEntries(entries) as Read<Part>;
}

function read(key: string, part: string | Message | Texts): unknown {
  if (typeof part !== 'string' && !isMessage(part)) return catalogue(key, part);
  const { tag, texts } = language();
  if (typeof part === 'string') return texts[key] ?? part;
  return formatter(texts[key] ?? part.text, tag, part.names);
}

/** Parses the text when it is read for the first time: most are not, of those that a page knows. */
function formatter(text: string, tag: string, names: readonly string[]) {
  const parsed: { format?: IntlMessageFormat } = {};
  return (...values: readonly Value[]): string => {
    parsed.format ??= new IntlMessageFormat(text, tag, undefined, { ignoreTag: true });
    return String(
      parsed.format.format(Object.fromEntries(names.map((name, index) => [name, values[index]]))),
    );
  };
}
