import { type Tx, tables } from '@parley/db';
import { and, eq, inArray, lte, sql } from 'drizzle-orm';

import { isId } from '../ids.ts';

const { users } = tables;

export type UserRow = typeof users.$inferSelect;

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

/** Ids of the active administrators and owners: they see that private channels exist. */
export async function listAdministratorIds(tx: Tx, realmId: number): Promise<number[]> {
  const these = and(eq(users.realmId, realmId), eq(users.isActive, true), lte(users.role, 200));
  return (await tx.select({ id: users.id }).from(users).where(these)).map(({ id }) => id);
}
