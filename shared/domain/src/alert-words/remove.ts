import { type Tx, tables } from '@parley/db';
import { type ActionResult, events, to } from '@parley/protocol';
import { and, eq, inArray, sql } from 'drizzle-orm';

import type { Actor } from '../actor.ts';
import { getLockedUser } from '../users/hold.ts';
import { alertWordsState } from './state.ts';

/** Alerts the actor of some words no more. */
export async function remove(
  tx: Tx,
  actor: Actor,
  words: string[],
): Promise<ActionResult & { words: string[] }> {
  await getLockedUser(tx, actor);
  const { alertWords } = tables;
  const these = inArray(sql`lower(${alertWords.word})`, ['', ...words.map((word) => word.toLowerCase())]);
  const removed = await tx
    .delete(alertWords)
    .where(and(eq(alertWords.userId, actor.id), these))
    .returning();
  const all = await alertWordsState(tx, actor.id);
  if (removed.length === 0) return { events: [], keepsRules: true, words: all };
  return { events: [to.user(actor, events.alertWords({ alert_words: all }))], words: all };
}
