import { type Tx, tables } from '@parley/db';
import { type Realm, isOfUser, hasId } from '@parley/model';
import { type ActionResult, ApiError } from '@parley/protocol';

import { lockUser } from '../lock.ts';
import { endAll } from '../sessions/index.ts';

const { emailChanges, users } = tables;

/**
 * Gives an account a password by its hash, for the operator of the server. Sessions end, and a request for another email
 * address is void; API keys stay.
 *
 * @throws BAD_REQUEST for a user who does not exist, or is a bot
 */
export async function setPassword(
  tx: Tx,
  { realm, userId, passwordHash }: { realm: Realm; userId: number; passwordHash: string },
): Promise<ActionResult> {
  const user = await lockUser(tx, { id: userId, realm });
  if (user.botType !== null) throw new ApiError('BAD_REQUEST', 'A bot has no password.');
  await tx
    .update(users)
    .set({ passwordHash })
    .where(hasId(users, realm, user.id));
  await tx.delete(emailChanges).where(isOfUser(emailChanges, { id: user.id, realm }));
  return { events: await endAll(tx, { id: user.id, realm }) };
}
setPassword.actionName = 'users.setPassword' as const;
