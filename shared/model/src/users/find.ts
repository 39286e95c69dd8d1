import { type UserRow, tables, type Tx } from '@parley/db';
import { ApiError, roles } from '@parley/protocol';
import { and, eq, sql, inArray, isNull, gte, or, isNotNull } from 'drizzle-orm';

import { maySeeEmail } from '../access/emails.ts';
import { assertCanAccessUser } from '../access/users.ts';
import { type Actor, type Realm, actorOf } from '../actor.ts';
import { isId } from '../ids.ts';

const { users } = tables;

export async function findUserByEmail(tx: Tx, realmId: number, email: string): Promise<UserRow | undefined> {
  const same = and(eq(users.realmId, realmId), eq(sql`lower(${users.email})`, email.toLowerCase()));
  const [user] = await tx.select().from(users).where(same);
  return user;
}

/** The users with these ids in a realm; ids of nobody are left out. */
export async function listUsers(tx: Tx, realmId: number, ids: number[]): Promise<UserRow[]> {
  const possible = ids.filter(isId);
  const these = and(eq(users.realmId, realmId), inArray(users.id, possible));
  return possible.length === 0 ? [] : await tx.select().from(users).where(these).orderBy(users.id);
}

/** The users with these addresses, real or placeholder (`user12@host`), compared without regard to case. */
export async function listUsersByEmail(
  tx: Tx,
  realmId: number,
  emails: string[],
): Promise<Map<string, UserRow>> {
  const wanted = emails.map((email) => email.toLowerCase());
  const ids = wanted.flatMap((email) => Number(/^user(\d{1,9})@/.exec(email)?.[1] ?? []));
  if (wanted.length === 0) return new Map();
  const named = sql`(lower(${users.email}) in ${wanted} or ${users.id} in ${[...ids, 0]})`;
  const rows = await tx
    .select()
    .from(users)
    .where(and(eq(users.realmId, realmId), named));
  const found = new Map<string, UserRow>();
  for (const row of rows) {
    found.set(row.email.toLowerCase(), row);
    found.set(wanted.find((email) => email.startsWith(`user${row.id}@`)) ?? row.email.toLowerCase(), row);
  }
  return found;
}

/**
 * A user as someone names them: by id, by the placeholder address, or by the real one where they may know it. A user
 * who is not there and an address that is hidden look the same. Refuses a guest who may not see the user.
 */
export async function getUser(tx: Tx, viewer: Actor, which: number | string): Promise<UserRow> {
  const placeholder = typeof which === 'string' ? /^user(\d{1,10})@(.+)$/i.exec(which) : null;
  const isOurs = placeholder?.[2]?.toLowerCase() === viewer.realm.host.toLowerCase();
  const id = typeof which === 'number' ? which : isOurs ? Number(placeholder?.[1]) : null;
  const found =
    id === null
      ? await findUserByEmail(tx, viewer.realm.id, String(which))
      : (await listUsers(tx, viewer.realm.id, [id]))[0];
  if (!found || (id === null && !maySeeEmail(viewer, found))) {
    throw new ApiError('BAD_REQUEST', 'No such user');
  }
  await assertCanAccessUser(tx, viewer, found);
  return found;
}

/** How many active people own the organization. */
export async function countOwners(tx: Tx, realmId: number): Promise<number> {
  const owners = and(
    eq(users.realmId, realmId),
    users.isActive,
    eq(users.role, roles.owner),
    isNull(users.botType),
  );
  return await tx.$count(users, owners);
}

/** How long after they were last seen people still count as listening. */
const recentlyActiveDays = 14;

/** Ids of the users of a realm who were here lately, and of its bots, which always are. */
export async function listRecentlyActiveIds(tx: Tx, realmId: number): Promise<number[]> {
  const lately = gte(users.lastActiveOn, sql`current_date - ${recentlyActiveDays}::int`);
  const these = and(eq(users.realmId, realmId), users.isActive, or(isNotNull(users.botType), lately));
  return (await tx.select({ id: users.id }).from(users).where(these)).map(({ id }) => id);
}

/**
 * An account as the one who acts, for whoever acts without credentials of its own.
 *
 * @throws UNAUTHORIZED for an account that is not in use
 */
export async function getActiveActor(tx: Tx, realm: Realm, userId: number): Promise<Actor> {
  const [user] = await listUsers(tx, realm.id, [userId]);
  if (!user?.isActive) throw new ApiError('UNAUTHORIZED', 'Account is deactivated');
  return actorOf(user, realm);
}
