import names from './unicode-names.json' with { type: 'json' };

/**
 * The names of every Unicode emoji by code, the preferred one first. They are what clients of this protocol send and
 * show.
 */
export const unicodeEmojiNames: Readonly<Record<string, readonly string[]>> = names;
