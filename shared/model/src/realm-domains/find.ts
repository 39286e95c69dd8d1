import { type RealmDomainRow, type Tx, tables } from '@parley/db';
import { asc, eq } from 'drizzle-orm';

const { realmDomains } = tables;

/** Returns all domains of a realm, oldest first. */
export const listRealmDomains = (tx: Tx, realmId: number): Promise<RealmDomainRow[]> =>
  tx.select().from(realmDomains).where(eq(realmDomains.realmId, realmId)).orderBy(asc(realmDomains.id));
