import { roles } from '@parley/protocol';
import { expect, test } from 'vitest';

import type { Actor } from '../actor.ts';
import { assertAdministrator, assertHuman, assertMember, assertOwner } from './assert.ts';

const people = Object.entries(roles).map(
  // Safe: a role and being a bot is all that these functions read.
  ([name, role]) => [name, { role, botType: null } as unknown as Actor] as const,
);
const bot = ['bot', { role: roles.owner, botType: 1 } as unknown as Actor] as const;

test.each([
  ['a human', assertHuman, ['bot'], 'BAD_REQUEST', 'Bots cannot use this endpoint.'],
  ['a member', assertMember, ['guest'], 'BAD_REQUEST', 'Guests cannot do this.'],
  [
    'an administrator',
    assertAdministrator,
    ['moderator', 'member', 'guest'],
    'UNAUTHORIZED_PRINCIPAL',
    'Only administrators of the organization can do this.',
  ],
  [
    'an owner',
    assertOwner,
    ['administrator', 'moderator', 'member', 'guest'],
    'UNAUTHORIZED_PRINCIPAL',
    'Only owners of the organization can do this.',
  ],
] as const)('%s is asked for', (_, assert, refused, code, message) => {
  const refusals = [...people, bot].flatMap(([name, actor]) => {
    try {
      assert(actor);
      return [];
    } catch (error) {
      return [[name, error]];
    }
  });
  const refusal = expect.objectContaining({ code, message });
  expect(Object.fromEntries(refusals)).toEqual(Object.fromEntries(refused.map((name) => [name, refusal])));
});
