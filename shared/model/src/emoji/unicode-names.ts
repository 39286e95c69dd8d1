import names from './unicode-names.json' with { type: 'json' };

/** The names of every Unicode emoji by code, the preferred one first. infra/emoji/generate.ts writes the file. */
export const unicodeEmojiNames: Readonly<Record<string, readonly string[]>> = names;
