import { type Actor, isAdministrator, isBot, isGuest, isOwner } from '@parley/model';
import { ApiError } from '@parley/protocol';

/** What an endpoint requires of everyone who calls it. Actions ask again: the endpoint only answers earlier. */
export type Requirement = 'human' | 'member' | 'administrator' | 'owner';

const requirements: Record<Requirement, { isMet(actor: Actor): boolean; refusal(): ApiError }> = {
  human: {
    isMet: (actor) => !isBot(actor),
    refusal: () => new ApiError('BAD_REQUEST', 'This endpoint does not accept bot requests.'),
  },
  member: {
    isMet: (actor) => !isGuest(actor),
    refusal: () => new ApiError('BAD_REQUEST', 'Not allowed for guest users'),
  },
  administrator: {
    isMet: isAdministrator,
    refusal: () => new ApiError('UNAUTHORIZED_PRINCIPAL', 'Must be an organization administrator'),
  },
  owner: {
    isMet: isOwner,
    refusal: () => new ApiError('UNAUTHORIZED_PRINCIPAL', 'Must be an organization owner'),
  },
};

/** Refuses whoever does not meet what an endpoint requires. */
export function checkRequirements(actor: Actor, required: readonly Requirement[]): void {
  const unmet = required.find((name) => !requirements[name].isMet(actor));
  if (unmet) throw requirements[unmet].refusal();
}
