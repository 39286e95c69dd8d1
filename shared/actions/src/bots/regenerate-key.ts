import type { Tx } from '@parley/db';
import type { Actor } from '@parley/model';
import * as model from '@parley/model';

import { endApiKey } from '../users/index.ts';

/**
 * Replaces a bot's API key, as its owner or as an administrator.
 *
 * @throws BAD_REQUEST for a bot as the actor, or a bot that does not exist or that the actor may not edit
 */
export async function regenerateKey(tx: Tx, { actor, id }: { actor: Actor; id: number }) {
  model.permissions.assertHuman(actor);
  const bot = await model.bots.getBot(tx, actor, id);
  return await endApiKey(tx, { user: { id: bot.id, realm: actor.realm } });
}
regenerateKey.actionName = 'bots.regenerateKey' as const;
