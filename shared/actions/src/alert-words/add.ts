import { type Tx, tables } from '@parley/db';
import { assertHuman, type Actor, alertWordsState } from '@parley/model';
import { type ActionResult, to, events } from '@parley/protocol';

import { lockUser } from '../lock.ts';

/**
 * Adds alert words of the actor. Words that differ only in case are one word.
 *
 * @throws BAD_REQUEST for a bot
 */
export async function add(
  tx: Tx,
  actor: Actor,
  words: string[],
): Promise<ActionResult & { words: string[] }> {
  assertHuman(actor);
  await lockUser(tx, actor);
  const distinct = [...new Map(words.map((word) => [word.toLowerCase(), word])).values()];
  const rows = distinct.map((word) => ({ userId: actor.id, realmId: actor.realm.id, word }));
  const { alertWords } = tables;
  const added =
    rows.length > 0 ? await tx.insert(alertWords).values(rows).onConflictDoNothing().returning() : [];
  const all = await alertWordsState(tx, actor.id);
  if (added.length === 0) return { events: [], keepsRules: true, words: all };
  return { events: [to.user(actor, events.alertWords({ alert_words: all }))], words: all };
}
