import { type Tx, tables } from '@parley/db';
import { eq, asc, sql } from 'drizzle-orm';

/** Returns `alert_words` of POST /register. */
export async function alertWordsState(tx: Tx, userId: number): Promise<string[]> {
  const { alertWords } = tables;
  const rows = await tx
    .select({ word: alertWords.word })
    .from(alertWords)
    .where(eq(alertWords.userId, userId))
    .orderBy(asc(sql`lower(${alertWords.word})`));
  return rows.map(({ word }) => word);
}
