import { type Tx, tables } from '@parley/db';
import { type Realm, isNamed } from '@parley/model';
import type * as model from '@parley/model';
import { ApiError } from '@parley/protocol';
import { and, eq, ne } from 'drizzle-orm';

import { lockName } from '../lock.ts';

const { users } = tables;

/**
 * Reserves a name until the end of the transaction, where the realm requires unique names.
 *
 * @throws BAD_REQUEST for a name that another active account has
 */
export async function reserveName(
  tx: Tx,
  { id, realm }: { id: number; realm: Pick<Realm, 'id'> },
  name: string,
  rules: model.permissions.Rules,
): Promise<void> {
  if (!rules.settings.require_unique_names) return;
  await lockName(tx, 'user', realm.id, name);
  if (await isNameTaken(tx, realm.id, name, id)) {
    throw new ApiError('BAD_REQUEST', 'Another account already has this name.');
  }
}

/** Whether another active account has the name, in whatever case. */
async function isNameTaken(tx: Tx, realmId: number, name: string, exceptId: number): Promise<boolean> {
  const hasName = and(
    eq(users.realmId, realmId),
    isNamed(users.fullName, [name]),
    users.isActive,
    ne(users.id, exceptId),
  );
  return (await tx.select({ id: users.id }).from(users).where(hasName).limit(1)).length > 0;
}
