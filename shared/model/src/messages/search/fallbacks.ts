import type { Tx } from '@parley/db';
import { limits } from '@parley/protocol';
import type { SearchEngine } from '@parley/search';

import { joinMessageReader, readableMessageCondition } from '../../access/message-visibility.ts';
import type { Actor } from '../../actor.ts';
import { type Fallback, type Fallbacks, prepareSearches } from './condition.ts';
import { findNearWords } from './correct.ts';
import { findForms } from './forms.ts';
import { findNext } from './portions.ts';
import { findReach } from './reach.ts';

/** Words that are looked for instead of one that was written. */
export type Corrections = ReadonlyMap<string, readonly string[]>;

/** Of longer searches, each word stands as it was written: each costs some statements. */
const wordsMax = 4;
/** The most words instead of one. */
const correctionsMax = 8;

interface Reading {
  tx: Tx;
  actor: Actor;
  engine: SearchEngine | null;
  /** Whether channels are searched from their beginning, or what the reader has received. */
  isWholeHistory: boolean;
}

/**
 * Returns what to look for instead of each word that the reader finds in no message that they may read: the words that begin with
 * it; if they find none of these, those that end with it; and else those that differ from it by the fewest typing errors,
 * which are also returned as corrections. Whether there is such a word is asked of what the reader may read alone, so that
 * no reply depends on what others have written where the reader may not be. Of one word that was looked for alone, it is
 * known that they do not find it.
 */
export async function findFallbacks(
  reading: Reading,
  { words, isAlone }: { words: readonly string[]; isAlone: boolean },
): Promise<{ fallbacks: Fallbacks; corrections: Corrections }> {
  const fallbacks = new Map<string, Fallback>();
  const corrections = new Map<string, readonly string[]>();
  for (const word of words.length > wordsMax ? [] : new Set(words)) {
    if (!isAlone && (await finds(reading, word))) continue;
    const part = await findPart(reading, word);
    const corrected = part ? [] : await correct(reading, word);
    if (part) fallbacks.set(word, part);
    if (corrected.length === 0) continue;
    fallbacks.set(word, corrected);
    corrections.set(word, corrected);
  }
  return { fallbacks, corrections };
}

/** Whether the reader finds words that begin with one, or else words that end with it; null for neither. */
async function findPart(reading: Reading, word: string): Promise<'beginning' | 'ending' | null> {
  const { tx, actor } = reading;
  const forms = await findForms(tx, actor.realm.id, [{ word, isBeginning: true, isEnding: true }]);
  const others = (forms.get(word) ?? []).map((form) => form.word);
  if (others.some((other) => other.startsWith(word)) && (await finds(reading, word, 'beginning')))
    return 'beginning';
  if (others.some((other) => other.endsWith(word)) && (await finds(reading, word, 'ending'))) return 'ending';
  return null;
}

/** The words that the reader finds and that differ from one by the fewest typing errors. */
async function correct(reading: Reading, word: string): Promise<string[]> {
  for (const near of await findNearWords(reading.tx, reading.actor.realm.id, word)) {
    const found: string[] = [];
    if (near.length > 0 && (await finds(reading, word, near)))
      for (const one of near)
        if (found.length < correctionsMax && (await finds(reading, one, 'exact'))) found.push(one);
    if (found.length > 0) return found;
  }
  return [];
}

/** Whether a word, or what is looked for instead of it, is in any message that the reader may read. */
async function finds(
  { tx, actor, engine, isWholeHistory }: Reading,
  word: string,
  fallback?: Fallback,
): Promise<boolean> {
  const one = { written: word, parts: [word], isLiteral: false, isBeginning: false, isEnding: false };
  const search = { words: [one], phrases: [] };
  const fallbacks = fallback && new Map([[word, fallback]]);
  const prepare = await prepareSearches(tx, { realmId: actor.realm.id, channels: null, fallbacks }, [search]);
  const { ids } = await findNext(
    {
      tx,
      realmId: actor.realm.id,
      search: prepare(search),
      places: [],
      joins: joinMessageReader(actor),
      where: await readableMessageCondition(tx, actor, isWholeHistory),
      findReach: () => findReach(tx, actor),
      engine,
    },
    'desc',
    limits.anchorNewest,
    1,
  );
  return ids.length > 0;
}
