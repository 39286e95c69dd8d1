import { type Tx, tables } from '@parley/db';
import { isOfUser } from '@parley/model';
import { type ActionResult, limits, sessionTimes } from '@parley/protocol';
import { and, desc, eq, inArray } from 'drizzle-orm';

import { sessionsChangedEvent } from './events.ts';

const { sessions } = tables;

interface NewSession {
  realm: { id: number };
  user: { id: number; keyGeneration: number };
  tokenHash: string;
  /** What the browser says of itself. */
  userAgent: string | null;
  nowMs: number;
}

/** Starts a session of an account. Of very many, the oldest end. */
export async function start(
  tx: Tx,
  { realm, user: { id: userId, keyGeneration }, tokenHash, userAgent, nowMs }: NewSession,
): Promise<ActionResult> {
  const [createdAt, expiresAt] = [new Date(nowMs), new Date(nowMs + sessionTimes.validMs)];
  await tx
    .insert(sessions)
    .values({ realmId: realm.id, tokenHash, userId, keyGeneration, createdAt, expiresAt, userAgent });
  const tooMany = await tx
    .select({ tokenHash: sessions.tokenHash })
    .from(sessions)
    .where(isOfUser(sessions, { id: userId, realm }))
    .orderBy(desc(sessions.createdAt))
    .offset(limits.sessionsPerUser);
  if (tooMany.length > 0) {
    const hashes = tooMany.map((session) => session.tokenHash);
    await tx.delete(sessions).where(and(eq(sessions.realmId, realm.id), inArray(sessions.tokenHash, hashes)));
  }
  return { events: [sessionsChangedEvent(userId)] };
}
start.actionName = 'sessions.start' as const;
