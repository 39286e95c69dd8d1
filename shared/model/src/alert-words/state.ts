import { type Tx, tables } from '@parley/db';
import { asc, sql } from 'drizzle-orm';

import type { Actor } from '../actor.ts';
import { isOfUser } from '../ids.ts';

/** Returns `alert_words` of POST /register. */
export async function alertWordsState(tx: Tx, user: Pick<Actor, 'id' | 'realm'>): Promise<string[]> {
  const { alertWords } = tables;
  const rows = await tx
    .select({ word: alertWords.word })
    .from(alertWords)
    .where(isOfUser(alertWords, user))
    .orderBy(asc(sql`lower(${alertWords.word})`));
  return rows.map(({ word }) => word);
}
