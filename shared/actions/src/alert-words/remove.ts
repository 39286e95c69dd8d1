import { type Tx, tables } from '@parley/db';
import { type Actor, isNamed, isOfUser } from '@parley/model';
import * as model from '@parley/model';
import { type ActionResult, to, events } from '@parley/protocol';
import { and } from 'drizzle-orm';

import { lockUser } from '../lock.ts';

/**
 * Removes alert words of the actor, whatever their case.
 */
export async function remove(
  tx: Tx,
  { actor, words }: { actor: Actor; words: string[] },
): Promise<ActionResult & { words: string[] }> {
  await lockUser(tx, actor);
  const { alertWords } = tables;
  const removed = await tx
    .delete(alertWords)
    .where(and(isOfUser(alertWords, actor), isNamed(alertWords.word, words)))
    .returning();
  const all = await model.alertWords.alertWordsState(tx, actor);
  if (removed.length === 0) return { events: [], words: all };
  return {
    events: [to.user(actor, events.alertWords({ alert_words: all }))],
    changesRules: true,
    words: all,
  };
}
remove.actionName = 'alertWords.remove' as const;
