import type { Tx } from '@parley/db';
import type { Actor } from '@parley/model';
import * as model from '@parley/model';
import type { ActionResult } from '@parley/protocol';

import { lockConversations } from '../lock.ts';
import { deactivateAccounts } from './deactivate.ts';

/**
 * Deactivates a bot as its owner or as an administrator. One that is deactivated stays as it is.
 *
 * @throws BAD_REQUEST for a bot as the actor, or a bot that does not exist or that the actor may not edit
 */
export async function deactivateBot(
  tx: Tx,
  { actor, id }: { actor: Actor; id: number },
): Promise<ActionResult> {
  model.permissions.assertHuman(actor);
  await lockConversations(tx, actor.realm, [actor.realm.membersConversationId]);
  const bot = await model.bots.getBot(tx, actor, id);
  return bot.isActive ? await deactivateAccounts(tx, actor, bot) : { events: [] };
}
deactivateBot.actionName = 'activation.deactivateBot' as const;
