import { type Tx, tables } from '@parley/db';
import { type Actor, botUpdatedEvent } from '@parley/model';
import { type PendingEvent, to, events } from '@parley/protocol';
import { sql, eq } from 'drizzle-orm';

/** Ends the actor's API key and makes a new one: keys are derived from a generation, which rises. */
export const regenerateKey = (tx: Tx, actor: Actor) => endApiKey(tx, actor);

/** Ends the key of an account. The nodes drop it as they read the entry that says so. */
export async function endApiKey(tx: Tx, { id }: { id: number }) {
  const { users } = tables;
  const [user] = await tx
    .update(users)
    .set({ keyGeneration: sql`${users.keyGeneration} + 1` })
    .where(eq(users.id, id))
    .returning();
  if (!user) throw new Error(`User ${id} acted and does not exist.`);
  // Of a person's key nobody is told, only the nodes.
  const told: PendingEvent =
    user.botType === null
      ? to.users([], events.keyRegenerated({}))
      : await botUpdatedEvent(tx, user, { key_generation: user.keyGeneration });
  const event: PendingEvent = { ...told, revokes: [id] };
  return { events: [event], user };
}
