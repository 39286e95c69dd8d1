import { type Actor, isAdministrator, isBot, isGuest, isOwner } from '@parley/model';
import { ApiError } from '@parley/protocol';

/** Who alone may call an endpoint, whatever they ask of it (reference/errors.md 5). */
export type Gate = 'human' | 'member' | 'administrator' | 'owner';

const gates: Record<Gate, { admits(actor: Actor): boolean; refusal(): ApiError }> = {
  human: {
    admits: (actor) => !isBot(actor),
    refusal: () => new ApiError('BAD_REQUEST', 'This endpoint does not accept bot requests.'),
  },
  member: {
    admits: (actor) => !isGuest(actor),
    refusal: () => new ApiError('BAD_REQUEST', 'Not allowed for guest users'),
  },
  administrator: {
    admits: isAdministrator,
    refusal: () => new ApiError('UNAUTHORIZED_PRINCIPAL', 'Must be an organization administrator'),
  },
  owner: {
    admits: isOwner,
    refusal: () => new ApiError('UNAUTHORIZED_PRINCIPAL', 'Must be an organization owner'),
  },
};

/** Refuses whoever an endpoint is not for. */
export function checkGates(actor: Actor, only: readonly Gate[]): void {
  const closed = only.find((name) => !gates[name].admits(actor));
  if (closed) throw gates[closed].refusal();
}
