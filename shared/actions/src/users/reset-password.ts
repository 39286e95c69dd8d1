import { type Tx, type UserRow, tables } from '@parley/db';
import { isOfUser, hasId } from '@parley/model';
import { type ActionResult, ApiError } from '@parley/protocol';

import { lockUser } from '../lock.ts';
import { endApiKey } from './regenerate-key.ts';

const { emailChanges, users } = tables;

/**
 * Gives an account another password by its hash, if it still is as it was when the link was checked: so a link serves once.
 * Sessions and the API key end, and a request for another email address is void: whoever knew the old password may have
 * them.
 *
 * @throws NOT_FOUND for an account that has changed since, or is no longer in use
 */
export async function resetPassword(
  tx: Tx,
  { account, passwordHash }: { account: UserRow; passwordHash: string },
): Promise<ActionResult> {
  const realm = { id: account.realmId };
  const before = await lockUser(tx, { id: account.id, realm });
  const isSame =
    before.isActive &&
    before.email === account.email &&
    before.passwordHash === account.passwordHash &&
    before.keyGeneration === account.keyGeneration;
  if (!isSame) throw new ApiError('NOT_FOUND', 'This link is no longer valid.');
  await tx
    .update(users)
    .set({ passwordHash })
    .where(hasId(users, realm, before.id));
  await tx.delete(emailChanges).where(isOfUser(emailChanges, { id: before.id, realm }));
  const { user: _, ...ended } = await endApiKey(tx, { user: { id: before.id, realm } });
  return ended;
}
resetPassword.actionName = 'users.resetPassword' as const;
