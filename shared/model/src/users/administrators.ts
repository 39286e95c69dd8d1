import { type Tx, tables } from '@parley/db';
import { roles } from '@parley/protocol';
import { and, eq, isNull, lte } from 'drizzle-orm';

/** Returns the ids of the active people who administer a realm. */
export async function listAdministratorIds(tx: Tx, realmId: number): Promise<number[]> {
  const { users } = tables;
  const areAdministrators = and(
    eq(users.realmId, realmId),
    users.isActive,
    isNull(users.botType),
    lte(users.role, roles.administrator),
  );
  return (await tx.select({ id: users.id }).from(users).where(areAdministrators)).map(({ id }) => id);
}
