import names from './unicode-names.json' with { type: 'json' };

/** Names of every Unicode emoji by its code, the preferred one first. Written by infra/emoji/generate.ts. */
export const unicodeEmojiNames: Readonly<Record<string, readonly string[]>> = names;
