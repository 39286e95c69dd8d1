import { type Tx, tables } from '@parley/db';
import { type Draft, events, to } from '@parley/protocol';
import { eq, sql } from 'drizzle-orm';

import type { Actor } from '../actor.ts';
import { draftOfBot } from '../bots/draft.ts';

/** Ends the actor's API key and makes a new one: keys are derived from a generation, which rises. */
export const regenerateKey = (tx: Tx, actor: Actor) => endKey(tx, actor);

/** Ends the key of an account. The nodes drop it as they read the entry that says so. */
export async function endKey(tx: Tx, { id }: { id: number }) {
  const { users } = tables;
  const [user] = await tx
    .update(users)
    .set({ keyGeneration: sql`${users.keyGeneration} + 1` })
    .where(eq(users.id, id))
    .returning();
  if (!user) throw new Error(`User ${id} acted and does not exist.`);
  // Of a person's key nobody is told, only the nodes.
  const told: Draft =
    user.botType === null
      ? to.users([], events.keyRegenerated({}))
      : await draftOfBot(tx, user, { key_generation: user.keyGeneration });
  return { events: [{ ...told, revokes: [id] }], user };
}
