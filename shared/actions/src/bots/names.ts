import { tables, type Tx } from '@parley/db';
import { ApiError } from '@parley/protocol';
import { and, eq } from 'drizzle-orm';

const { users } = tables;

/** Refuses a bot's name that an active account has. */
export async function assertBotNameIsFree(
  tx: Tx,
  realmId: number,
  name: string,
  exceptId = 0,
): Promise<void> {
  const same = and(eq(users.realmId, realmId), eq(users.fullName, name), users.isActive);
  const rows = await tx.select({ id: users.id }).from(users).where(same);
  if (rows.some(({ id }) => id !== exceptId)) throw new ApiError('BAD_REQUEST', 'Name is already in use.');
}
