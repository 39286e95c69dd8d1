import { type Tx, tables } from '@parley/db';
import { eq } from 'drizzle-orm';

export async function findRealm(tx: Tx, name: string) {
  const [realm] = await tx.select().from(tables.realms).where(eq(tables.realms.name, name));
  return realm;
}

/** Returns the realm that had this name before it was renamed. */
export async function findRenamedRealm(tx: Tx, formerName: string) {
  const { formerRealmNames, realms } = tables;
  const [row] = await tx
    .select({ realm: realms })
    .from(formerRealmNames)
    .innerJoin(realms, eq(realms.id, formerRealmNames.realmId))
    .where(eq(formerRealmNames.name, formerName));
  return row?.realm;
}

export async function getRealm(tx: Tx, id: number) {
  const [realm] = await tx.select().from(tables.realms).where(eq(tables.realms.id, id));
  if (!realm) throw new Error(`Realm ${id} does not exist.`);
  return realm;
}

/** Returns the end of the realm's log. Everything read in the same snapshot is the state at that position. */
export async function findLogHead(tx: Tx, realmId: number) {
  const { realmHeads } = tables;
  const [head] = await tx.select().from(realmHeads).where(eq(realmHeads.realmId, realmId));
  return head;
}

/** Does the same for a realm that is known to be there. */
export async function getLogHead(tx: Tx, realmId: number) {
  const head = await findLogHead(tx, realmId);
  if (!head) throw new Error(`Realm ${realmId} has no log.`);
  return head;
}
