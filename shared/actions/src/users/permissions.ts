import { type Tx, tables } from '@parley/db';
import type { Actor } from '@parley/model';
import { ApiError } from '@parley/protocol';
import { eq } from 'drizzle-orm';

/** Creating accounts for others is a permission that the operator of the server gives. */
export async function assertMayCreateUsers(tx: Tx, actor: Actor): Promise<void> {
  const { users } = tables;
  const [me] = await tx.select({ may: users.canCreateUsers }).from(users).where(eq(users.id, actor.id));
  if (!me?.may) throw new ApiError('BAD_REQUEST', 'User not authorized to create users');
}
