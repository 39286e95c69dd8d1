import { type Tx, tables } from '@parley/db';
import type { Actor } from '@parley/model';
import * as model from '@parley/model';
import { type ActionResult, ApiError, events, limits, to } from '@parley/protocol';

import { lockUser } from '../lock.ts';

/**
 * Adds alert words of the actor. Words that differ only in case are one word.
 *
 * @throws BAD_REQUEST for more words, or longer ones together, than a user may have
 */
export async function add(
  tx: Tx,
  { actor, words }: { actor: Actor; words: string[] },
): Promise<ActionResult & { words: string[] }> {
  await lockUser(tx, actor);
  const distinct = [...new Map(words.map((word) => [word.toLowerCase(), word])).values()];
  const rows = distinct.map((word) => ({ userId: actor.id, realmId: actor.realm.id, word }));
  const { alertWords } = tables;
  const added =
    rows.length > 0 ? await tx.insert(alertWords).values(rows).onConflictDoNothing().returning() : [];
  const all = await model.alertWords.alertWordsState(tx, actor);
  if (added.length === 0) return { events: [], words: all };
  assertWithinLimits(all);
  return {
    events: [to.user(actor, events.alertWords({ alert_words: all }))],
    changesRules: true,
    words: all,
  };
}
add.actionName = 'alertWords.add' as const;

/** Every message is searched for all of them. */
function assertWithinLimits(words: readonly string[]): void {
  const { alertWordsPerUser: countMax, alertWordsLength: lengthMax } = limits;
  if (words.length > countMax) {
    throw new ApiError('BAD_REQUEST', `You can have at most ${countMax} alert words.`);
  }
  if (words.reduce((length, word) => length + [...word].length, 0) > lengthMax) {
    throw new ApiError('BAD_REQUEST', `Your alert words can have at most ${lengthMax} characters in total.`);
  }
}
