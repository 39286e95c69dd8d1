import { unicodeEmojiNames } from './unicode-names.ts';

const codes: ReadonlyMap<string, string> = new Map(
  Object.entries(unicodeEmojiNames).flatMap(([code, names]) => names.map((name) => [name, code])),
);

/**
 * Returns the code of the Unicode emoji with this name. A code is its code points in hex, without variation selectors.
 */
export const findUnicodeEmojiCode = (name: string): string | undefined => codes.get(name);

export const isUnicodeEmojiCode = (code: string): boolean => Object.hasOwn(unicodeEmojiNames, code);

/** Returns the name that clients show for the Unicode emoji with this code. */
export const unicodeEmojiNameOf = (code: string): string | undefined =>
  isUnicodeEmojiCode(code) ? unicodeEmojiNames[code]?.[0] : undefined;
