import { type UserRow, tables, type Tx } from '@parley/db';
import { ApiError, roles } from '@parley/protocol';
import { and, eq, sql, isNull, gte, or, isNotNull } from 'drizzle-orm';

import { maySeeEmail } from '../access/emails.ts';
import { assertCanAccessUser, filterAccessible } from '../access/users.ts';
import { type Actor, type Realm, actorOf } from '../actor.ts';
import { type SweptRealms, isAmong, isId, isSwept } from '../ids.ts';

const { users } = tables;

/** Returns the user with a real email address (case-insensitive). */
export async function findUserByEmail(tx: Tx, realmId: number, email: string): Promise<UserRow | undefined> {
  const hasEmail = and(eq(users.realmId, realmId), eq(sql`lower(${users.email})`, email.toLowerCase()));
  const [user] = await tx.select().from(users).where(hasEmail);
  return user;
}

/** Returns the accounts of a realm that have one of these real email addresses (case-insensitive). */
export async function listAccountsWithEmail(
  tx: Tx,
  realmId: number,
  emails: readonly string[],
): Promise<Pick<UserRow, 'email' | 'isActive'>[]> {
  if (emails.length === 0) return [];
  const hasEmail = sql`lower(${users.email}) in ${emails.map((email) => email.toLowerCase())}`;
  return await tx
    .select({ email: users.email, isActive: users.isActive })
    .from(users)
    .where(and(eq(users.realmId, realmId), hasEmail));
}

/**
 * Returns the number of active accounts of people, in all organizations that a server holds, that have an email address
 * (case-insensitive).
 */
export async function countAccountsWithEmail(tx: Tx, email: string, realmIds: SweptRealms): Promise<number> {
  if (realmIds !== null) {
    const found = await tx.execute(sql`
      select u.id from users u join realms r on r.id = u.realm_id and r.is_active
      where ${isSwept(sql`u.realm_id`, realmIds)} and lower(u.email) = ${email.toLowerCase()} and u.is_active and u.bot_type is null`);
    return found.length;
  }
  // Addresses are looked up organization by organization: no index has those of all.
  const rows = await tx.execute(sql`
    select from realms r cross join lateral (
      select from users u
      where u.realm_id = r.id and lower(u.email) = ${email.toLowerCase()} and u.is_active and u.bot_type is null offset 0
    ) u where r.is_active`);
  return rows.length;
}

/** Returns the users of a realm with these ids. Ids that no user has are left out. */
export async function listUsers(tx: Tx, realmId: number, ids: number[]): Promise<UserRow[]> {
  const validIds = ids.filter(isId);
  const hasId = and(eq(users.realmId, realmId), isAmong(users.id, validIds));
  return validIds.length === 0 ? [] : await tx.select().from(users).where(hasId).orderBy(users.id);
}

/** What messages say of people. */
export type NamedUser = Pick<
  UserRow,
  'id' | 'email' | 'fullName' | 'emailVisibility' | 'avatarPath' | 'avatarVersion'
>;

/** Returns the same users as `listUsers`, with what messages say of them: of a hundred, the rest is most of the bytes. */
export async function listNamedUsers(tx: Tx, realmId: number, ids: number[]): Promise<NamedUser[]> {
  const { id, email, fullName, emailVisibility, avatarPath, avatarVersion } = users;
  return await tx
    .select({ id, email, fullName, emailVisibility, avatarPath, avatarVersion })
    .from(users)
    .where(and(eq(users.realmId, realmId), isAmong(users.id, ids)))
    .orderBy(users.id);
}

/**
 * The id in a placeholder address of the realm, which ends in its domain for made-up addresses (`user12@domain`) or in its
 * host; undefined for any other address.
 */
function placeholderId({ emailDomain, host, url }: Realm, email: string): number | undefined {
  const [, id, domain = ''] = /^user(\d{1,10})@(.+?)(?::\d+)?$/i.exec(email) ?? [];
  const hostInUrl = url.replace(/^\w+:\/\/|:\d+$/g, '');
  const isOfRealm = [emailDomain, host, hostInUrl].some((one) => one.toLowerCase() === domain.toLowerCase());
  return isOfRealm ? Number(id) : undefined;
}

/**
 * Returns users by lower-case email address: a placeholder, or a real address that the viewer may see. An address that
 * its owner hides from the viewer is one that nobody has.
 */
export async function listUsersByEmail(
  tx: Tx,
  viewer: Actor,
  emails: string[],
): Promise<Map<string, UserRow>> {
  const lowerEmails = emails.map((email) => email.toLowerCase());
  if (lowerEmails.length === 0) return new Map();
  const idByEmail = new Map(lowerEmails.map((email) => [email, placeholderId(viewer.realm, email)]));
  const ids = [...idByEmail.values()].filter((id) => id !== undefined && isId(id));
  const hasEmail = sql`(lower(${users.email}) in ${lowerEmails} or ${users.id} in ${[0, ...ids]})`;
  const rows = await tx
    .select()
    .from(users)
    .where(and(eq(users.realmId, viewer.realm.id), hasEmail));
  const visible = rows.filter((row) => maySeeEmail(viewer, row));
  const byEmail = new Map(
    (await filterAccessible(tx, viewer, visible)).map((row) => [row.email.toLowerCase(), row]),
  );
  const byId = new Map(rows.map((row) => [row.id, row]));
  for (const [email, id] of idByEmail) {
    const user = id === undefined ? undefined : byId.get(id);
    if (user) byEmail.set(email, user);
  }
  return byEmail;
}

/**
 * Returns a user by id, by placeholder address, or by real email address if the viewer may see it.
 *
 * @throws BAD_REQUEST if there is none, if the address is hidden from the viewer (the two look the same), and for a
 *   guest who may not access the user
 */
export async function getUser(tx: Tx, viewer: Actor, which: number | string): Promise<UserRow> {
  const user =
    typeof which === 'number'
      ? (await listUsers(tx, viewer.realm.id, [which]))[0]
      : (await listUsersByEmail(tx, viewer, [which])).get(which.toLowerCase());
  if (!user) throw new ApiError('BAD_REQUEST', 'This user does not exist.');
  await assertCanAccessUser(tx, viewer, user);
  return user;
}

/** Returns the active accounts of people, without bots; at most `limit` of them, oldest first. */
export const listHumans = (tx: Tx, realmId: number, limit: number): Promise<UserRow[]> =>
  tx
    .select()
    .from(users)
    .where(and(eq(users.realmId, realmId), users.isActive, isNull(users.botType)))
    .orderBy(users.id)
    .limit(limit);

/** Returns the number of active owners of the organization, without bots. */
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

/** Returns the ids of a realm's active users who were recently active, and of all its active bots. */
export async function listRecentlyActiveIds(tx: Tx, realmId: number): Promise<number[]> {
  const wasActive = gte(users.lastActiveOn, sql`current_date - ${recentlyActiveDays}::int`);
  const isListed = and(eq(users.realmId, realmId), users.isActive, or(isNotNull(users.botType), wasActive));
  return (await tx.select({ id: users.id }).from(users).where(isListed)).map(({ id }) => id);
}

/**
 * Returns the actor for a user id, for callers that have no credentials of the user.
 *
 * @throws UNAUTHORIZED for an account that does not exist or is deactivated
 */
export async function getActiveActor(tx: Tx, realm: Realm, userId: number): Promise<Actor> {
  const [user] = await listUsers(tx, realm.id, [userId]);
  if (!user?.isActive) throw new ApiError('UNAUTHORIZED', 'This account is deactivated.');
  return actorOf(user, realm);
}
