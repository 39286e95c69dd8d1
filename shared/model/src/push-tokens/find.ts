import { type Tx, tables } from '@parley/db';
import { asc, eq } from 'drizzle-orm';

const { pushTokens } = tables;

/** Returns a user's devices, in the order in which they were registered. */
export async function listDevices(tx: Tx, userId: number) {
  const { id, service, token, appId } = pushTokens;
  return await tx
    .select({ id, service, token, appId })
    .from(pushTokens)
    .where(eq(pushTokens.userId, userId))
    .orderBy(asc(pushTokens.registeredAt), asc(id));
}
