import type { Tx } from '@parley/db';

import type { Actor } from '../actor.ts';
import { endKey } from '../users/regenerate-key.ts';
import { getBot } from './find.ts';

/** Ends a bot's API key and makes a new one, for whoever sees to the bot. */
export async function regenerateKey(tx: Tx, actor: Actor, id: number) {
  return await endKey(tx, await getBot(tx, actor, id));
}
