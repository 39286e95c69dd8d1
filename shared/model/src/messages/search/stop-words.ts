import words from './stop-words.json' with { type: 'json' };

/** The words that searches pass over: those of the dictionary with which Postgres reads messages. */
export const stopWords: readonly string[] = words;
