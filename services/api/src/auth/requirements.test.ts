import type { Actor } from '@parley/model';
import { ApiError, roles } from '@parley/protocol';
import { expect, test } from 'vitest';

import { type Requirement, assertRequirements, requirementErrors } from './requirements.ts';

// Safe: a role and being a bot is all that requirements read.
const person = (role: number, botType: number | null = null) => ({ role, botType }) as unknown as Actor;

function codeFor(actor: Actor, ...required: Requirement[]): string | null {
  try {
    assertRequirements(actor, required);
    return null;
  } catch (error) {
    return error instanceof ApiError ? error.code : String(error);
  }
}

test.each([
  ['human', person(roles.member), person(roles.owner, 1)],
  ['member', person(roles.member), person(roles.guest)],
  ['administrator', person(roles.administrator), person(roles.moderator)],
  ['owner', person(roles.owner), person(roles.administrator)],
] as const)('%s: who meets it, and who is refused with its code', (name, one, other) => {
  expect(codeFor(one, name)).toBeNull();
  expect(codeFor(other, name)).toBe(requirementErrors[name]);
});

test('all of them have to be met, in their order', () => {
  expect(codeFor(person(roles.guest, 1))).toBeNull();
  expect(codeFor(person(roles.owner, 1), 'owner', 'human')).toBe('BAD_REQUEST');
  expect(codeFor(person(roles.member), 'human', 'owner')).toBe('UNAUTHORIZED_PRINCIPAL');
});

test('the codes are those of the contract', () => {
  expect(requirementErrors).toEqual({
    human: 'BAD_REQUEST',
    member: 'BAD_REQUEST',
    administrator: 'UNAUTHORIZED_PRINCIPAL',
    owner: 'UNAUTHORIZED_PRINCIPAL',
  });
});
