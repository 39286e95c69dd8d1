import { type Tx, tables } from '@parley/db';
import type { Actor } from '@parley/model';
import * as model from '@parley/model';
import { ApiError, type PendingEvent, events, to } from '@parley/protocol';
import { and, eq } from 'drizzle-orm';

/**
 * Gives the actor's realm another name, and thereby another address. The old name stays the realm's and leads to the new
 * address; event queues end, because their clients use the old one. The caller has locked the realm's row.
 *
 * @throws BAD_REQUEST for a name that cannot be or is taken, and for the realm at the server's own address
 */
export async function rename(
  tx: Tx,
  { realm }: Actor,
  currentName: string,
  name: string,
): Promise<PendingEvent[]> {
  if (name === currentName) return [];
  // The root realm is found by its name, which the operator has configured.
  if (!realm.host.startsWith(`${realm.name}.`)) {
    throw new ApiError(
      'BAD_REQUEST',
      "The organization at the server's own address cannot change its subdomain.",
    );
  }
  const refuse = (problem: string | null) => {
    if (problem !== null) throw new ApiError('BAD_REQUEST', problem);
  };
  refuse(model.realms.realmNameProblem(name));
  refuse(await model.realms.takenNameProblem(tx, name, realm.id));
  const { formerRealmNames, realms, users } = tables;
  // Of realms that want the same name at this moment, one gets it.
  await tx
    .transaction((inner) => inner.update(realms).set({ name }).where(eq(realms.id, realm.id)))
    .catch(async (error: unknown) => {
      refuse(await model.realms.takenNameProblem(tx, name, realm.id));
      throw error;
    });
  await tx.delete(formerRealmNames).where(eq(formerRealmNames.name, name));
  await tx.insert(formerRealmNames).values({ name: currentName, realmId: realm.id });
  const accounts = await tx
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.realmId, realm.id), users.isActive));
  return [{ ...to.users([], events.realmRenamed({})), revokes: accounts.map(({ id }) => id) }];
}
