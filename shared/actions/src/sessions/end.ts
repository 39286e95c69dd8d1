import { type Tx, tables } from '@parley/db';
import type { ActionResult, PendingEvent } from '@parley/protocol';
import { and, eq, lt } from 'drizzle-orm';

import { sessionsChangedEvent } from './events.ts';

const { sessions } = tables;

/** Ends a session. One that has ended stays so. */
export async function end(
  tx: Tx,
  { userId, tokenHash }: { userId: number; tokenHash: string },
): Promise<ActionResult> {
  const ended = await tx
    .delete(sessions)
    .where(and(eq(sessions.tokenHash, tokenHash), eq(sessions.userId, userId)))
    .returning();
  return { events: ended.length > 0 ? [sessionsChangedEvent(userId)] : [] };
}
end.actionName = 'sessions.end' as const;

/** Ends all sessions of an account. */
export async function endAll(tx: Tx, userId: number): Promise<PendingEvent[]> {
  const ended = await tx.delete(sessions).where(eq(sessions.userId, userId)).returning();
  return ended.length > 0 ? [sessionsChangedEvent(userId)] : [];
}

/** Removes sessions that are too old. */
export async function removeExpired(tx: Tx, now: Date): Promise<void> {
  await tx.delete(sessions).where(lt(sessions.expiresAt, now));
}
