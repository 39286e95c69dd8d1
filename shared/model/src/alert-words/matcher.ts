import { type Tx, tables } from '@parley/db';
import { BoundedCache } from '@parley/kit';
import { eq } from 'drizzle-orm';

/**
 * The ids of the users with an alert word in a text. Costs one lookup per word of the text, however many alert words
 * there are, and one search per alert word that is a phrase.
 */
export type AlertWordMatcher = (content: string) => number[];

export const noAlertWords: AlertWordMatcher = () => [];

/** A single word: letters, digits and underscores. Texts are split into such words. */
const single = /^[\p{L}\p{N}_]+$/u;

const isWordCharacter = (character: string | undefined) =>
  character !== undefined && /[\p{L}\p{N}_]/u.test(character);

export function createAlertWordMatcher(rows: readonly { userId: number; word: string }[]): AlertWordMatcher {
  const singles = new Map<string, number[]>();
  const phrases = new Map<string, number[]>();
  for (const { userId, word } of rows) {
    const key = word.toLowerCase();
    const index = single.test(key) ? singles : phrases;
    index.set(key, [...(index.get(key) ?? []), userId]);
  }
  if (singles.size === 0 && phrases.size === 0) return noAlertWords;
  return (content) => {
    const text = content.toLowerCase();
    const alerted = new Set<number>();
    for (const word of new Set(text.match(/[\p{L}\p{N}_]+/gu))) {
      for (const id of singles.get(word) ?? []) alerted.add(id);
    }
    for (const [phrase, ids] of phrases) if (contains(text, phrase)) for (const id of ids) alerted.add(id);
    return [...alerted].sort((a, b) => a - b);
  };
}

/** Whether the text contains the phrase as whole words. */
function contains(text: string, phrase: string): boolean {
  for (let at = text.indexOf(phrase); at >= 0; at = text.indexOf(phrase, at + 1)) {
    const [before, after] = [text[at - 1], text[at + phrase.length]];
    const startsInside = isWordCharacter(before) && isWordCharacter(phrase[0]);
    const endsInside = isWordCharacter(after) && isWordCharacter(phrase.at(-1));
    if (!startsInside && !endsInside) return true;
  }
  return false;
}

/** A cache of realms' alert words, read once per version of a realm's rules. Changing a word raises the version. */
export interface AlertWordCache {
  find(tx: Tx, realmId: number, rulesVersion: number): Promise<AlertWordMatcher>;
}

/** What an alert word of somebody takes of memory, at most: it has 100 characters. */
const wordBytes = 400;

export function createAlertWordCache(): AlertWordCache {
  const matchers = new BoundedCache<
    number,
    { rulesVersion: number; matcher: AlertWordMatcher; words: number }
  >('alertWords', { bytesOf: ({ words }) => words * wordBytes });
  return {
    async find(tx, realmId, rulesVersion) {
      const cached = matchers.get(realmId);
      if (cached?.rulesVersion === rulesVersion) return cached.matcher;
      const { alertWords } = tables;
      const rows = await tx.select().from(alertWords).where(eq(alertWords.realmId, realmId));
      const matcher = createAlertWordMatcher(rows);
      matchers.set(realmId, { rulesVersion, matcher, words: rows.length });
      return matcher;
    },
  };
}
