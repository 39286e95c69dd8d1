import { createHash } from 'node:crypto';

import { type Tx, tables } from '@parley/db';
import { and, desc, eq, gt } from 'drizzle-orm';

import type { Actor } from '../actor.ts';
import { isOfUser } from '../ids.ts';

const { sessions } = tables;

/**
 * Returns what a session is called where people see it: from its id, nobody gets what it is stored under, nor what its
 * browser presents.
 */
export const idOf = (tokenHash: string): string =>
  createHash('sha256').update(`session:${tokenHash}`).digest('base64url').slice(0, 22);

/** Returns the sessions of an account that have not ended, the newest first. */
export async function list(tx: Tx, actor: Actor, now: Date) {
  const { tokenHash, userAgent, createdAt, expiresAt, keyGeneration } = sessions;
  const rows = await tx
    .select({ tokenHash, userAgent, createdAt, expiresAt })
    .from(sessions)
    .where(and(isOfUser(sessions, actor), eq(keyGeneration, actor.keyGeneration), gt(expiresAt, now)))
    .orderBy(desc(createdAt), tokenHash);
  return rows.map((row) => ({ ...row, id: idOf(row.tokenHash) }));
}
