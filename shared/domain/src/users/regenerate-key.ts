import { type Tx, tables } from '@parley/db';
import { type ActionResult, events, to } from '@parley/protocol';
import { eq, sql } from 'drizzle-orm';

import type { Actor } from '../actor.ts';

/** Ends the actor's API key and makes a new one: keys are derived from a generation, which rises. */
export async function regenerateKey(tx: Tx, actor: Actor) {
  const { users } = tables;
  const [user] = await tx
    .update(users)
    .set({ keyGeneration: sql`${users.keyGeneration} + 1` })
    .where(eq(users.id, actor.id))
    .returning();
  if (!user) throw new Error(`User ${actor.id} acted and does not exist.`);
  // Told to nobody: the entry is there for the nodes, which drop the old key on reading it.
  const result: ActionResult = {
    events: [{ ...to.users([], events.keyRegenerated({})), revokes: [actor.id] }],
  };
  return { ...result, user };
}
