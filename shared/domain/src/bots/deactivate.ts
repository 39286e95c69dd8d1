import type { Tx } from '@parley/db';
import type { ActionResult } from '@parley/protocol';

import type { Actor } from '../actor.ts';
import { lockConversations } from '../lock.ts';
import { leave } from '../users/deactivate.ts';
import { getBot } from './find.ts';

/** Ends a bot's account. One that has ended is left as it is. */
export async function deactivate(tx: Tx, actor: Actor, id: number): Promise<ActionResult> {
  await lockConversations(tx, [actor.realm.membersConversationId]);
  const bot = await getBot(tx, actor, id);
  return bot.isActive ? await leave(tx, actor, bot) : { events: [], keepsRules: true };
}
