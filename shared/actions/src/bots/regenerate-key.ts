import type { Tx } from '@parley/db';
import { assertHuman } from '@parley/model';
import { type Actor, getBot } from '@parley/model';

import { endApiKey } from '../users/index.ts';

/** Ends a bot's API key and makes a new one, for whoever sees to the bot. */
export async function regenerateKey(tx: Tx, actor: Actor, id: number) {
  assertHuman(actor);
  return await endApiKey(tx, await getBot(tx, actor, id));
}
