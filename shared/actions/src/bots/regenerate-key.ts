import type { Tx } from '@parley/db';
import { assertHuman, type Actor, getBot } from '@parley/model';

import { endApiKey } from '../users/index.ts';

/**
 * Replaces a bot's API key, as its owner or as an administrator.
 *
 * @throws BAD_REQUEST for a bot as the actor, or a bot that does not exist or that the actor may not edit
 */
export async function regenerateKey(tx: Tx, actor: Actor, id: number) {
  assertHuman(actor);
  return await endApiKey(tx, await getBot(tx, actor, id));
}
