import type { Tx, UserRow } from '@parley/db';
import * as model from '@parley/model';
import { roles } from '@parley/protocol';

/** Returns whether the user is the only owner of their organization. */
export const isOnlyOwner = async (tx: Tx, { role, botType, isActive, realmId }: UserRow) =>
  role === roles.owner && botType === null && isActive && (await model.users.countOwners(tx, realmId)) === 1;
