/** Of an array of Postgres. `join` would write nothing at all for a null of JavaScript. */
export type Element = string | number | boolean;

/** Returns an array as Postgres reads it from a text. */
export const arrayOf = (elements: readonly Element[]): string => `{${elements.join(',')}}`;
