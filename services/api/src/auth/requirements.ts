import type { Actor } from '@parley/model';
import * as model from '@parley/model';
import type { ErrorCode } from '@parley/protocol';

/** A role that an endpoint requires of its callers. Actions check roles too; the endpoint only refuses earlier. */
export type Requirement = 'human' | 'member' | 'administrator' | 'owner';

const requirements: Record<Requirement, (actor: Actor) => void> = {
  human: model.permissions.assertHuman,
  member: model.permissions.assertMember,
  administrator: model.permissions.assertAdministrator,
  owner: model.permissions.assertOwner,
};

/** The code that each requirement refuses with. */
export const requirementErrors: Record<Requirement, ErrorCode> = {
  human: 'BAD_REQUEST',
  member: 'BAD_REQUEST',
  administrator: 'UNAUTHORIZED_PRINCIPAL',
  owner: 'UNAUTHORIZED_PRINCIPAL',
};

/** Refuses whoever does not meet what an endpoint requires. */
export function assertRequirements(actor: Actor, required: readonly Requirement[]): void {
  for (const name of required) requirements[name](actor);
}
