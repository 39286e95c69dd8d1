import { type UserRow, tables, type Tx } from '@parley/db';
import { type Audience, type LogEvent, type PendingEvent, roles } from '@parley/protocol';
import { and, eq, gt, lte } from 'drizzle-orm';

import type { AudienceRealm } from '../actor.ts';
import type { Rules } from '../permissions/rules.ts';
import { type EmailOwner, emailVisibleUpToRole } from './emails.ts';
import { accessibleUserIds, restrictsGuests } from './users.ts';

const { users } = tables;

type UserReference = Pick<UserRow, 'id'>;

export const toAudience = (event: LogEvent, audience: Audience): PendingEvent => ({ event, ...audience });

const activeGuestCondition = (realmId: number) =>
  and(eq(users.realmId, realmId), users.isActive, eq(users.role, roles.guest), eq(users.isSystem, false));

/** Returns the ids of the realm's active guests, ascending. */
export async function listGuestIds(tx: Tx, realmId: number): Promise<number[]> {
  const rows = await tx
    .select({ id: users.id })
    .from(users)
    .where(activeGuestCondition(realmId))
    .orderBy(users.id);
  return rows.map(({ id }) => id);
}

/** The ids of active guests who may access a user, in a realm whose guests may not access everyone. */
async function guestsWithAccess(tx: Tx, realmId: number, { id }: UserReference): Promise<number[]> {
  const guests = await listGuestIds(tx, realmId);
  const accessibleIds = await accessibleUserIds(tx, realmId, guests, { among: [id] });
  return guests.filter((guest) => accessibleIds.get(guest)?.has(id));
}

/** Returns the ids of active guests who may not access a user. */
export async function guestsWithoutAccess(
  tx: Tx,
  realmId: number,
  user: UserReference,
  rules: Rules,
): Promise<number[]> {
  if (!restrictsGuests(rules)) return [];
  const withAccess = new Set(await guestsWithAccess(tx, realmId, user));
  return (await listGuestIds(tx, realmId)).filter((id) => !withAccess.has(id));
}

/** Returns the users who may access a user. */
export async function userAudience(
  tx: Tx,
  realm: AudienceRealm,
  user: UserReference,
  rules: Rules,
): Promise<Audience> {
  if (!restrictsGuests(rules)) return {};
  return {
    conversations: [realm.membersConversationId],
    users: await guestsWithAccess(tx, realm.id, user),
  };
}

/** The users who may access a user and whose role number is in `(above, upTo]`; null if that range is empty. */
async function audienceOfRoles(
  tx: Tx,
  realm: AudienceRealm,
  user: UserReference,
  rules: Rules,
  { above, upTo }: { above: number; upTo: number },
): Promise<Audience | null> {
  if (above >= upTo) return null;
  const list = async (low: number, high: number) => {
    const inRange = and(
      eq(users.realmId, realm.id),
      users.isActive,
      eq(users.isSystem, false),
      gt(users.role, low),
      lte(users.role, high),
    );
    return (await tx.select({ id: users.id }).from(users).where(inRange)).map(({ id }) => id);
  };
  const startsWithinMembers = above < roles.member;
  const except =
    upTo >= roles.member && startsWithinMembers ? [user.id, ...(await list(0, above))] : [user.id];
  if (upTo < roles.member) return { users: await list(above, upTo), except };
  if (upTo === roles.member) return { conversations: [realm.membersConversationId], except };
  if (startsWithinMembers) return { ...(await userAudience(tx, realm, user, rules)), except };
  const guests = restrictsGuests(rules)
    ? await guestsWithAccess(tx, realm.id, user)
    : await list(roles.member, roles.guest);
  return { users: guests, except };
}

/** Returns the users who may access a user: those who see the real email address, and those who do not. */
export async function emailAudiences(tx: Tx, realm: AudienceRealm, user: EmailOwner, rules: Rules) {
  const upTo = emailVisibleUpToRole(user);
  if (upTo === roles.guest)
    return { withEmail: await userAudience(tx, realm, user, rules), withoutEmail: null };
  const others = await audienceOfRoles(tx, realm, user, rules, { above: 0, upTo });
  return {
    withEmail: { ...others, users: [...(others?.users ?? []), user.id], except: [] },
    withoutEmail: await audienceOfRoles(tx, realm, user, rules, { above: upTo, upTo: roles.guest }),
  };
}

/** Returns the users other than the user who begin or cease to see the user's real email address. */
export async function emailVisibilityAudiences(
  tx: Tx,
  realm: AudienceRealm,
  before: EmailOwner,
  after: EmailOwner,
  rules: Rules,
) {
  const [from, to] = [emailVisibleUpToRole(before), emailVisibleUpToRole(after)];
  return {
    gainers: await audienceOfRoles(tx, realm, after, rules, { above: from, upTo: to }),
    losers: await audienceOfRoles(tx, realm, after, rules, { above: to, upTo: from }),
  };
}
