import { unicodeNames } from './unicode-names.ts';

const codes: ReadonlyMap<string, string> = new Map(
  Object.entries(unicodeNames).flatMap(([code, names]) => names.map((name) => [name, code])),
);

/** The code of the Unicode emoji with this name: its code points in hex, without variation selectors. */
export const findUnicodeCode = (name: string): string | undefined => codes.get(name);

export const isUnicodeCode = (code: string): boolean => Object.hasOwn(unicodeNames, code);

/** The name that clients show of the emoji with this code. */
export const unicodeNameOf = (code: string): string | undefined =>
  isUnicodeCode(code) ? unicodeNames[code]?.[0] : undefined;
