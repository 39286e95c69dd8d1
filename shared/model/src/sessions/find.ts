import { type Tx, tables } from '@parley/db';
import { ApiError, realmDeactivated } from '@parley/protocol';
import { and, eq, gt } from 'drizzle-orm';

import { type Actor, type Realm, actorOf } from '../actor.ts';

const { realms, sessions, users } = tables;

/**
 * Returns the account of a session in a realm.
 *
 * @throws UNAUTHENTICATED_USER for a session that does not exist or has ended
 * @throws REALM_DEACTIVATED, USER_DEACTIVATED
 */
export async function getSessionActor(
  tx: Tx,
  realm: Realm,
  { userId, tokenHash }: { userId: number; tokenHash: string },
  now: Date,
): Promise<Actor> {
  const [row] = await tx
    .select({ user: users, realmIsActive: realms.isActive })
    .from(sessions)
    .innerJoin(
      users,
      and(
        eq(users.realmId, sessions.realmId),
        eq(users.id, sessions.userId),
        eq(users.keyGeneration, sessions.keyGeneration),
      ),
    )
    .innerJoin(realms, eq(realms.id, users.realmId))
    .where(
      and(
        eq(sessions.realmId, realm.id),
        eq(sessions.tokenHash, tokenHash),
        eq(sessions.userId, userId),
        gt(sessions.expiresAt, now),
      ),
    );
  if (!row) throw new ApiError('UNAUTHENTICATED_USER', 'Your session has ended. Log in again.');
  if (!row.realmIsActive) throw realmDeactivated();
  if (!row.user.isActive) throw new ApiError('USER_DEACTIVATED', 'This account is deactivated.');
  return actorOf(row.user, realm);
}
