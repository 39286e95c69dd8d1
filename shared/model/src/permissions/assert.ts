import { ApiError } from '@parley/protocol';

import { type Actor, isAdministrator, isBot, isGuest, isOwner } from '../actor.ts';

/** @throws BAD_REQUEST for a bot */
export function assertHuman(actor: Actor): void {
  if (isBot(actor)) throw new ApiError('BAD_REQUEST', 'Bots cannot use this endpoint.');
}

/** @throws BAD_REQUEST for a guest */
export function assertMember(actor: Actor): void {
  if (isGuest(actor)) throw new ApiError('BAD_REQUEST', 'Guests cannot do this.');
}

/** @throws UNAUTHORIZED_PRINCIPAL for anyone who is not an administrator or owner */
export function assertAdministrator(actor: Pick<Actor, 'role'>): void {
  if (!isAdministrator(actor)) {
    throw new ApiError('UNAUTHORIZED_PRINCIPAL', 'Only administrators of the organization can do this.');
  }
}

/** @throws UNAUTHORIZED_PRINCIPAL for anyone who is not an owner */
export function assertOwner(actor: Actor): void {
  if (!isOwner(actor))
    throw new ApiError('UNAUTHORIZED_PRINCIPAL', 'Only owners of the organization can do this.');
}
