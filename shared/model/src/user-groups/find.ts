import { type Tx, tables } from '@parley/db';
import { eq } from 'drizzle-orm';

export async function listUserGroups(tx: Tx, realmId: number) {
  const { userGroups } = tables;
  return await tx.select().from(userGroups).where(eq(userGroups.realmId, realmId)).orderBy(userGroups.id);
}
