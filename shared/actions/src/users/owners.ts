import type { Tx, UserRow } from '@parley/db';
import { type Actor, isOwner, countOwners } from '@parley/model';
import { ApiError, roles } from '@parley/protocol';

export function assertOwner(actor: Actor): void {
  if (!isOwner(actor)) throw new ApiError('UNAUTHORIZED_PRINCIPAL', 'Must be an organization owner');
}

/** Whether an organization would be without an owner if it were not for this one. */
export const isOnlyOwner = async (tx: Tx, { role, botType, isActive, realmId }: UserRow) =>
  role === roles.owner && botType === null && isActive && (await countOwners(tx, realmId)) === 1;
