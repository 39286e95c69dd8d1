import { type Tx, tables } from '@parley/db';
import { type Realm, hasId } from '@parley/model';
import { type ActionResult, ApiError, events, to } from '@parley/protocol';

import { lockUser } from '../lock.ts';

/** What the operator of the server lets an account do, beyond its role. */
export interface OperatorRights {
  canCreateUsers?: boolean;
  canChangeUserEmails?: boolean;
  canForgeSender?: boolean;
}

/**
 * Gives an account rights of an operator, or takes them away.
 *
 * @throws BAD_REQUEST for a user who does not exist, or is the server's own
 */
export async function setRights(
  tx: Tx,
  { realm, userId, rights }: { realm: Realm; userId: number; rights: OperatorRights },
): Promise<ActionResult> {
  const user = await lockUser(tx, { id: userId, realm });
  if (user.isSystem) throw new ApiError('BAD_REQUEST', 'This user does not exist.');
  await tx
    .update(tables.users)
    .set(rights)
    .where(hasId(tables.users, realm, user.id));
  // The entry has no audience. It makes the nodes read the account again.
  return { events: [{ ...to.users([], events.keyRegenerated({})), revokes: [user.id] }], changesRules: true };
}
setRights.actionName = 'users.setRights' as const;
