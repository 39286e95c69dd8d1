import { type Tx, tables } from '@parley/db';
import { eq } from 'drizzle-orm';

export async function listUserGroups(tx: Tx, realmId: number) {
  const { userGroups } = tables;
  return await tx.select().from(userGroups).where(eq(userGroups.realmId, realmId)).orderBy(userGroups.id);
}

/** The ids of a realm's system groups by their names. */
export async function getSystemGroupIds(tx: Tx, realmId: number): Promise<(name: string) => number> {
  const byName = new Map((await listUserGroups(tx, realmId)).map(({ id, name }) => [name, id]));
  return (name) => {
    const id = byName.get(name);
    if (id === undefined) throw new Error(`Realm ${realmId} lacks the group ${name}.`);
    return id;
  };
}
