import { tables, type Tx } from '@parley/db';
import { ApiError } from '@parley/protocol';
import { and, eq } from 'drizzle-orm';

const { users } = tables;

/** @throws BAD_REQUEST for a name of a bot that another active account has */
export async function assertBotNameIsFree(
  tx: Tx,
  realmId: number,
  name: string,
  exceptId = 0,
): Promise<void> {
  const hasName = and(eq(users.realmId, realmId), eq(users.fullName, name), users.isActive);
  const rows = await tx.select({ id: users.id }).from(users).where(hasName);
  if (rows.some(({ id }) => id !== exceptId))
    throw new ApiError('BAD_REQUEST', 'Another bot already has this name.');
}
