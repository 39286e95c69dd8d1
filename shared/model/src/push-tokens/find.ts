import { type Tx, tables } from '@parley/db';
import { and, asc, eq, gt, inArray, isNull, lte, ne, or } from 'drizzle-orm';

import type { Actor } from '../actor.ts';
import { isOfUser } from '../ids.ts';

const { pushTokens, sessions } = tables;

type Owner = Pick<Actor, 'id'> & { realm: Pick<Actor['realm'], 'id'> };

/** Returns a user's phones, in the order in which they were registered. */
export async function listPhones(tx: Tx, user: Owner) {
  const { id, service, token, appId } = pushTokens;
  const rows = await tx
    .select({ id, service, token, appId })
    .from(pushTokens)
    .where(and(isOfUser(pushTokens, user), ne(service, 'web')))
    .orderBy(asc(pushTokens.registeredAt), asc(id));
  return rows.flatMap(({ service, ...phone }) => (service === 'web' ? [] : [{ service, ...phone }]));
}

/**
 * Returns the devices on which a user is notified now, in the order in which they were registered: phones, and browsers
 * whose session goes on, whose service still takes notifications, and whose owner may be disturbed.
 */
export async function listDevices(tx: Tx, user: Owner, now: Date) {
  const { id, service, token, appId, p256dh, auth, pausedUntil } = pushTokens;
  return await tx
    .select({ id, service, token, appId, p256dh, auth })
    .from(pushTokens)
    .where(and(goesOn(tx, user, now), or(isNull(pausedUntil), lte(pausedUntil, now))))
    .orderBy(asc(pushTokens.registeredAt), asc(id));
}

/** Returns the browsers of a user that are registered for notifications, in the order in which they were registered. */
export async function listBrowsers(tx: Tx, user: Owner, now: Date) {
  const { id, name, service, registeredAt } = pushTokens;
  return await tx
    .select({ id, name, registeredAt })
    .from(pushTokens)
    .where(and(goesOn(tx, user, now), eq(service, 'web')))
    .orderBy(asc(registeredAt), asc(id));
}

/** The devices of a user whose session and subscription have not ended. */
function goesOn(tx: Tx, user: Owner, now: Date) {
  const { sessionHash, expiresAt } = pushTokens;
  const goingOn = tx
    .select({ tokenHash: sessions.tokenHash })
    .from(sessions)
    .where(and(isOfUser(sessions, user), gt(sessions.expiresAt, now)));
  return and(
    isOfUser(pushTokens, user),
    or(isNull(sessionHash), inArray(sessionHash, goingOn)),
    or(isNull(expiresAt), gt(expiresAt, now)),
  );
}
