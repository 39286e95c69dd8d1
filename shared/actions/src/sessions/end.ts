import { type Tx, tables } from '@parley/db';
import { type SweptRealms, isOfUser, isSwept } from '@parley/model';
import type { ActionResult, PendingEvent } from '@parley/protocol';
import { and, eq, lt } from 'drizzle-orm';

import { sessionsChangedEvent } from './events.ts';

const { sessions } = tables;

interface Owner {
  id: number;
  realm: { id: number };
}

/** Ends a session. One that has ended stays so. */
export async function end(
  tx: Tx,
  { user, tokenHash }: { user: Owner; tokenHash: string },
): Promise<ActionResult> {
  const ended = await tx
    .delete(sessions)
    .where(and(isOfUser(sessions, user), eq(sessions.tokenHash, tokenHash)))
    .returning();
  return { events: ended.length > 0 ? [sessionsChangedEvent(user.id)] : [] };
}
end.actionName = 'sessions.end' as const;

/** Ends all sessions of an account. */
export async function endAll(tx: Tx, user: Owner): Promise<PendingEvent[]> {
  const ended = await tx.delete(sessions).where(isOfUser(sessions, user)).returning();
  return ended.length > 0 ? [sessionsChangedEvent(user.id)] : [];
}

/** Removes sessions that are too old. */
export async function removeExpired(tx: Tx, now: Date, realmIds: SweptRealms): Promise<void> {
  await tx.delete(sessions).where(and(lt(sessions.expiresAt, now), isSwept(sessions.realmId, realmIds)));
}
