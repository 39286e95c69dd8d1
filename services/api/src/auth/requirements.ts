import { type Actor, assertAdministrator, assertHuman, assertMember, assertOwner } from '@parley/model';

/** What an endpoint requires of everyone who calls it. Actions ask again: the endpoint only answers earlier. */
export type Requirement = 'human' | 'member' | 'administrator' | 'owner';

const requirements: Record<Requirement, (actor: Actor) => void> = {
  human: assertHuman,
  member: assertMember,
  administrator: assertAdministrator,
  owner: assertOwner,
};

/** Refuses whoever does not meet what an endpoint requires. */
export function assertRequirements(actor: Actor, required: readonly Requirement[]): void {
  for (const name of required) requirements[name](actor);
}
