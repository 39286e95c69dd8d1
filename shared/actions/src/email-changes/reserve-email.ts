import type { Tx } from '@parley/db';
import type { Realm } from '@parley/model';
import * as model from '@parley/model';
import { ApiError } from '@parley/protocol';

import { lockName } from '../lock.ts';

/**
 * Reserves an email address for a user until the end of the transaction.
 *
 * @throws BAD_REQUEST for an address that another account has, or that the realm does not take
 */
export async function reserveEmail(
  tx: Tx,
  realm: Pick<Realm, 'id'>,
  userId: number,
  email: string,
): Promise<void> {
  await lockName(tx, 'email', realm.id, email);
  const holder = await model.users.findUserByEmail(tx, realm.id, email);
  if (holder && holder.id !== userId)
    throw new ApiError('BAD_REQUEST', 'Another account already uses this email address.');
  await model.realmDomains.assertEmailAllowed(
    tx,
    realm.id,
    email,
    await model.permissions.getRules(tx, realm.id),
  );
}
