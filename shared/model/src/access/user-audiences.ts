import { type UserRow, tables, type Tx } from '@parley/db';
import type { Audience, LogEvent, PendingEvent } from '@parley/protocol';
import { and, eq, gt, lte } from 'drizzle-orm';

import type { Realm } from '../actor.ts';
import type { Rules } from '../permissions/rules.ts';
import { emailVisibleUpToRole } from './emails.ts';
import { accessibleUserIds, restrictsGuests } from './users.ts';

const { users } = tables;

type Home = Pick<Realm, 'id' | 'membersConversationId'>;

type UserReference = Pick<UserRow, 'id'>;

type EmailOwner = UserReference & Pick<UserRow, 'emailVisibility' | 'botType'>;

export const toAudience = (event: LogEvent, audience: Audience): PendingEvent => ({ event, ...audience });

const activeGuestCondition = (realmId: number) =>
  and(eq(users.realmId, realmId), users.isActive, eq(users.role, 600), eq(users.isSystem, false));

export async function listGuestIds(tx: Tx, realmId: number): Promise<number[]> {
  const rows = await tx
    .select({ id: users.id })
    .from(users)
    .where(activeGuestCondition(realmId))
    .orderBy(users.id);
  return rows.map(({ id }) => id);
}

/** Active guests who see a user, where guests do not see everyone. */
async function guestsWithAccess(tx: Tx, realmId: number, { id }: UserReference): Promise<number[]> {
  const guests = await listGuestIds(tx, realmId);
  const seen = await accessibleUserIds(tx, guests, { among: [id] });
  return guests.filter((guest) => seen.get(guest)?.has(id));
}

/** Active guests who do not see a user. */
export async function guestsWithoutAccess(
  tx: Tx,
  realmId: number,
  user: UserReference,
  rules: Rules,
): Promise<number[]> {
  if (!restrictsGuests(rules)) return [];
  const seeing = new Set(await guestsWithAccess(tx, realmId, user));
  return (await listGuestIds(tx, realmId)).filter((id) => !seeing.has(id));
}

/** Everyone who sees a user. */
export async function userAudience(tx: Tx, home: Home, user: UserReference, rules: Rules): Promise<Audience> {
  if (!restrictsGuests(rules)) return {};
  return {
    conversations: [home.membersConversationId],
    users: await guestsWithAccess(tx, home.id, user),
  };
}

/** Those who see a user and whose role number is above one and up to another; null if there are none such. */
async function audienceOfRoles(
  tx: Tx,
  home: Home,
  user: UserReference,
  rules: Rules,
  { above, upTo }: { above: number; upTo: number },
): Promise<Audience | null> {
  if (above >= upTo) return null;
  const list = async (low: number, high: number) => {
    const inRange = and(
      eq(users.realmId, home.id),
      users.isActive,
      eq(users.isSystem, false),
      gt(users.role, low),
      lte(users.role, high),
    );
    return (await tx.select({ id: users.id }).from(users).where(inRange)).map(({ id }) => id);
  };
  const except = upTo >= 400 && above < 400 ? [user.id, ...(await list(0, above))] : [user.id];
  if (upTo < 400) return { users: await list(above, upTo), except };
  if (upTo === 400) return { conversations: [home.membersConversationId], except };
  if (above < 400) return { ...(await userAudience(tx, home, user, rules)), except };
  const guests = restrictsGuests(rules) ? await guestsWithAccess(tx, home.id, user) : await list(400, 600);
  return { users: guests, except };
}

/** Those who see a user with the real address, and those who see the user without it. */
export async function emailAudiences(tx: Tx, home: Home, user: EmailOwner, rules: Rules) {
  const upTo = emailVisibleUpToRole(user);
  if (upTo === 600) return { withEmail: await userAudience(tx, home, user, rules), withoutEmail: null };
  const others = await audienceOfRoles(tx, home, user, rules, { above: 0, upTo });
  return {
    withEmail: { ...others, users: [...(others?.users ?? []), user.id], except: [] },
    withoutEmail: await audienceOfRoles(tx, home, user, rules, { above: upTo, upTo: 600 }),
  };
}

/** Whose view of a user's real address a change of its visibility changes, the user aside. */
export async function emailVisibilityAudiences(
  tx: Tx,
  home: Home,
  before: EmailOwner,
  after: EmailOwner,
  rules: Rules,
) {
  const [from, to] = [emailVisibleUpToRole(before), emailVisibleUpToRole(after)];
  return {
    gainers: await audienceOfRoles(tx, home, after, rules, { above: from, upTo: to }),
    losers: await audienceOfRoles(tx, home, after, rules, { above: to, upTo: from }),
  };
}
