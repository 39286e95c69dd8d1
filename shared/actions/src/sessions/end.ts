import { type Tx, tables } from '@parley/db';
import { type Actor, type SweptRealms, isOfUser, isSwept } from '@parley/model';
import * as model from '@parley/model';
import { type ActionResult, ApiError, type PendingEvent } from '@parley/protocol';
import { type SQL, and, eq, lt, ne } from 'drizzle-orm';

import { sessionsChangedEvent } from './events.ts';

const { sessions } = tables;

interface Owner {
  id: number;
  realm: { id: number };
}

/** Ends the sessions of an account of which the condition is true. */
async function endThose(tx: Tx, user: Owner, condition?: SQL): Promise<PendingEvent[]> {
  const ended = await tx
    .delete(sessions)
    .where(and(isOfUser(sessions, user), condition))
    .returning({ tokenHash: sessions.tokenHash });
  return ended.length > 0 ? [sessionsChangedEvent(user.id)] : [];
}

/** Ends a session. One that has ended stays so. */
export async function end(
  tx: Tx,
  { user, tokenHash }: { user: Owner; tokenHash: string },
): Promise<ActionResult> {
  return { events: await endThose(tx, user, eq(sessions.tokenHash, tokenHash)) };
}
end.actionName = 'sessions.end' as const;

/**
 * Ends the session of an account that has an id.
 *
 * @throws BAD_REQUEST if the account has none of this id, and for a bot
 */
export async function endById(tx: Tx, { actor, id }: { actor: Actor; id: string }): Promise<ActionResult> {
  model.permissions.assertHuman(actor);
  const { tokenHash } = sessions;
  const rows = await tx.select({ tokenHash }).from(sessions).where(isOfUser(sessions, actor));
  const found = rows.find((row) => model.sessions.idOf(row.tokenHash) === id);
  if (!found) throw new ApiError('BAD_REQUEST', 'You have no session with this ID.');
  return { events: await endThose(tx, actor, eq(tokenHash, found.tokenHash)) };
}
endById.actionName = 'sessions.endById' as const;

/**
 * Ends the sessions of an account but for the one that is kept, if one is.
 *
 * @throws BAD_REQUEST for a bot
 */
export async function endOthers(
  tx: Tx,
  { actor, kept }: { actor: Actor; kept: string | null },
): Promise<ActionResult> {
  model.permissions.assertHuman(actor);
  const isOther = kept === null ? undefined : ne(sessions.tokenHash, kept);
  return { events: await endThose(tx, actor, isOther) };
}
endOthers.actionName = 'sessions.endOthers' as const;

/** Ends all sessions of an account. */
export const endAll = (tx: Tx, user: Owner): Promise<PendingEvent[]> => endThose(tx, user);

/** Removes sessions that are too old. */
export async function removeExpired(tx: Tx, now: Date, realmIds: SweptRealms): Promise<void> {
  await tx.delete(sessions).where(and(lt(sessions.expiresAt, now), isSwept(sessions.realmId, realmIds)));
}
