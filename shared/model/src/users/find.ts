import { type UserRow, tables, type Tx } from '@parley/db';
import { ApiError, roles } from '@parley/protocol';
import { and, eq, sql, isNull, gte, or, isNotNull } from 'drizzle-orm';

import { maySeeEmail } from '../access/emails.ts';
import { assertCanAccessUser } from '../access/users.ts';
import { type Actor, type Realm, actorOf } from '../actor.ts';
import { isId, isAmong } from '../ids.ts';

const { users } = tables;

/** The user with a real email address (case-insensitive). */
export async function findUserByEmail(tx: Tx, realmId: number, email: string): Promise<UserRow | undefined> {
  const hasEmail = and(eq(users.realmId, realmId), eq(sql`lower(${users.email})`, email.toLowerCase()));
  const [user] = await tx.select().from(users).where(hasEmail);
  return user;
}

/** The users of a realm with these ids. Ids that no user has are left out. */
export async function listUsers(tx: Tx, realmId: number, ids: number[]): Promise<UserRow[]> {
  const validIds = ids.filter(isId);
  const hasId = and(eq(users.realmId, realmId), isAmong(users.id, validIds));
  return validIds.length === 0 ? [] : await tx.select().from(users).where(hasId).orderBy(users.id);
}

/** Users by lower-case email address, real or placeholder (`user12@host`). Addresses are case-insensitive. */
export async function listUsersByEmail(
  tx: Tx,
  realmId: number,
  emails: string[],
): Promise<Map<string, UserRow>> {
  const lowerEmails = emails.map((email) => email.toLowerCase());
  const ids = lowerEmails.flatMap((email) => Number(/^user(\d{1,9})@/.exec(email)?.[1] ?? []));
  if (lowerEmails.length === 0) return new Map();
  const hasEmail = sql`(lower(${users.email}) in ${lowerEmails} or ${users.id} in ${[...ids, 0]})`;
  const rows = await tx
    .select()
    .from(users)
    .where(and(eq(users.realmId, realmId), hasEmail));
  const byEmail = new Map<string, UserRow>();
  for (const row of rows) {
    const placeholder = lowerEmails.find((email) => email.startsWith(`user${row.id}@`));
    byEmail.set(row.email.toLowerCase(), row);
    if (placeholder !== undefined) byEmail.set(placeholder, row);
  }
  return byEmail;
}

/**
 * A user by id, by placeholder address, or by real email address if the viewer may see it.
 *
 * @throws BAD_REQUEST if there is none, if the address is hidden from the viewer (the two look the same), and for a
 *   guest who may not access the user
 */
export async function getUser(tx: Tx, viewer: Actor, which: number | string): Promise<UserRow> {
  const placeholder = typeof which === 'string' ? /^user(\d{1,10})@(.+)$/i.exec(which) : null;
  const isOurs = placeholder?.[2]?.toLowerCase() === viewer.realm.host.toLowerCase();
  const id = typeof which === 'number' ? which : isOurs ? Number(placeholder?.[1]) : null;
  const user =
    id === null
      ? await findUserByEmail(tx, viewer.realm.id, String(which))
      : (await listUsers(tx, viewer.realm.id, [id]))[0];
  if (!user || (id === null && !maySeeEmail(viewer, user))) {
    throw new ApiError('BAD_REQUEST', 'No such user');
  }
  await assertCanAccessUser(tx, viewer, user);
  return user;
}

/** The number of active owners of the organization, without bots. */
export async function countOwners(tx: Tx, realmId: number): Promise<number> {
  const owners = and(
    eq(users.realmId, realmId),
    users.isActive,
    eq(users.role, roles.owner),
    isNull(users.botType),
  );
  return await tx.$count(users, owners);
}

/** For how many days after they were last active users count as recently active. */
const recentlyActiveDays = 14;

/** The ids of a realm's active users who were recently active, and of all its active bots. */
export async function listRecentlyActiveIds(tx: Tx, realmId: number): Promise<number[]> {
  const wasActive = gte(users.lastActiveOn, sql`current_date - ${recentlyActiveDays}::int`);
  const isListed = and(eq(users.realmId, realmId), users.isActive, or(isNotNull(users.botType), wasActive));
  return (await tx.select({ id: users.id }).from(users).where(isListed)).map(({ id }) => id);
}

/**
 * The actor for a user id, for callers that have no credentials of the user.
 *
 * @throws UNAUTHORIZED for an account that does not exist or is deactivated
 */
export async function getActiveActor(tx: Tx, realm: Realm, userId: number): Promise<Actor> {
  const [user] = await listUsers(tx, realm.id, [userId]);
  if (!user?.isActive) throw new ApiError('UNAUTHORIZED', 'Account is deactivated');
  return actorOf(user, realm);
}
