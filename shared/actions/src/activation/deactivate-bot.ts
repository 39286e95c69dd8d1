import type { Tx } from '@parley/db';
import { assertHuman } from '@parley/model';
import { type Actor, getBot } from '@parley/model';
import type { ActionResult } from '@parley/protocol';

import { lockConversations } from '../lock.ts';
import { endAccounts } from './deactivate.ts';

/** Ends a bot's account. One that has ended is left as it is. */
export async function deactivateBot(tx: Tx, actor: Actor, id: number): Promise<ActionResult> {
  assertHuman(actor);
  await lockConversations(tx, [actor.realm.membersConversationId]);
  const bot = await getBot(tx, actor, id);
  return bot.isActive ? await endAccounts(tx, actor, bot) : { events: [], keepsRules: true };
}
