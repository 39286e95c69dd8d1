import { type Tx, tables } from '@parley/db';
import { and, count, eq, isNull } from 'drizzle-orm';

/** Returns every organization of the deployment, oldest first, with the number of its active accounts of people. */
export async function listRealms(tx: Tx) {
  const { realms, users } = tables;
  const isPerson = and(eq(users.realmId, realms.id), users.isActive, isNull(users.botType));
  const rows = await tx
    .select({ realm: realms, people: count(users.id) })
    .from(realms)
    .leftJoin(users, isPerson)
    .groupBy(realms.id)
    .orderBy(realms.id);
  return rows.map(({ realm, people }) => ({ ...realm, people }));
}
