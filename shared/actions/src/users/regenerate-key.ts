import { type Tx, type UserRow, tables } from '@parley/db';
import { hasId } from '@parley/model';
import * as model from '@parley/model';
import { type ActionResult, type PendingEvent, to, events } from '@parley/protocol';
import { sql } from 'drizzle-orm';

import { removeAll as removePushTokens } from '../push-tokens/index.ts';
import { endAll } from '../sessions/index.ts';

/**
 * Replaces the API key of an account, and forgets its devices. Keys are derived from a generation, which is raised; the
 * nodes drop the old key when they read the entry.
 */
export async function endApiKey(
  tx: Tx,
  { user: { id, realm } }: { user: { id: number; realm: { id: number } } },
): Promise<ActionResult & { user: UserRow }> {
  const { users } = tables;
  const [user] = await tx
    .update(users)
    .set({ keyGeneration: sql`${users.keyGeneration} + 1` })
    .where(hasId(users, realm, id))
    .returning();
  if (!user) throw new Error(`User ${id} acted and does not exist.`);
  await endAll(tx, { id, realm });
  await removePushTokens(tx, realm, [id]);
  // The entry of a human's key has no audience: only the nodes read it.
  const event: PendingEvent =
    user.botType === null
      ? to.users([], events.keyRegenerated({}))
      : await model.bots.botUpdatedEvent(tx, user, { key_generation: user.keyGeneration });
  return { events: [{ ...event, revokes: [id] }], changesRules: true, user };
}
endApiKey.actionName = 'users.endApiKey' as const;
