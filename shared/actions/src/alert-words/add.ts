import { type Tx, tables } from '@parley/db';
import { assertHuman } from '@parley/model';
import { type Actor, alertWordsState } from '@parley/model';
import { type ActionResult, to, events } from '@parley/protocol';

import { lockUser } from '../lock.ts';

/** Alerts the actor of messages with more words from now on. A word is one in whatever case. */
export async function add(
  tx: Tx,
  actor: Actor,
  words: string[],
): Promise<ActionResult & { words: string[] }> {
  assertHuman(actor);
  await lockUser(tx, actor);
  const wanted = [...new Map(words.map((word) => [word.toLowerCase(), word])).values()];
  const rows = wanted.map((word) => ({ userId: actor.id, realmId: actor.realm.id, word }));
  const { alertWords } = tables;
  const added =
    rows.length > 0 ? await tx.insert(alertWords).values(rows).onConflictDoNothing().returning() : [];
  const all = await alertWordsState(tx, actor.id);
  if (added.length === 0) return { events: [], keepsRules: true, words: all };
  return { events: [to.user(actor, events.alertWords({ alert_words: all }))], words: all };
}
