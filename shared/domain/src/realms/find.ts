import { type Tx, tables } from '@parley/db';
import { eq } from 'drizzle-orm';

export async function findRealm(tx: Tx, name: string) {
  const [realm] = await tx.select().from(tables.realms).where(eq(tables.realms.name, name));
  return realm;
}

export async function getRealm(tx: Tx, id: number) {
  const [realm] = await tx.select().from(tables.realms).where(eq(tables.realms.id, id));
  if (!realm) throw new Error(`Realm ${id} does not exist.`);
  return realm;
}
