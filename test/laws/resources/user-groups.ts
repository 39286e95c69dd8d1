import { createGroup } from '../../support/index.ts';
import type { Fixture } from '../fixtures/access.ts';
import { members } from '../fixtures/callers.ts';
import type { Case, Table } from '../fixtures/cases.ts';
import type { Requests } from '../fixtures/endpoints.ts';

let count = 0;

/** A group that Alice has just made, with the insider in it. */
const alicesGroup = ({ alice, bob }: Fixture) => createGroup(alice, `group ${(count += 1)}`, [bob]);

const read = (more: (fixture: Fixture) => object = () => ({})): Case[] => [
  {
    of: 'another’s',
    params: async (fixture) => ({ user_group_id: await alicesGroup(fixture), ...more(fixture) }),
    may: members,
    code: 'BAD_REQUEST',
  },
];

/** A change of a group of Alice's, who manages it; all groups are the owners' to manage. */
const change = (params: (fixture: Fixture) => Promise<object> | object): Case[] => [
  {
    of: 'another’s',
    params: async (fixture) => ({ user_group_id: await alicesGroup(fixture), ...(await params(fixture)) }),
    may: ['owner'],
    code: 'BAD_REQUEST',
  },
];

/** Groups of users. */
export const access: Table = {
  'GET /user_groups': [
    { of: 'the organization’s', params: () => ({}), may: [...members, 'otherRealm'], code: 'BAD_REQUEST' },
  ],
  'POST /user_groups/create': [
    {
      of: 'one’s own',
      params: (_, caller) => ({ name: `of ${caller}`, description: '', members: [] }),
      may: [...members, 'otherRealm'],
      code: 'BAD_REQUEST',
    },
  ],
  'PATCH /user_groups/:user_group_id': change(() => ({ description: 'x' })),
  'POST /user_groups/:user_group_id/deactivate': change(() => ({})),
  'GET /user_groups/:user_group_id/members': read(),
  'GET /user_groups/:user_group_id/members/:user_id': read(({ bob }) => ({ user_id: bob.id })),
  'POST /user_groups/:user_group_id/members': change(({ carol }) => ({ add: [carol.id] })),
  'GET /user_groups/:user_group_id/subgroups': read(),
  'POST /user_groups/:user_group_id/subgroups': change(async (fixture) => ({
    add: [await alicesGroup(fixture)],
  })),
};

export const requests: Requests = {
  'GET /user_groups': () => ({}),
  'POST /user_groups/create': () => ({ name: 'Walkers', description: '', members: '[]' }),
  'PATCH /user_groups/:user_group_id': ({ groupId }) => ({
    user_group_id: String(groupId),
    description: 'x',
  }),
  'POST /user_groups/:user_group_id/deactivate': ({ groupId }) => ({ user_group_id: String(groupId) }),
  'GET /user_groups/:user_group_id/members': ({ groupId }) => ({ user_group_id: String(groupId) }),
  'GET /user_groups/:user_group_id/members/:user_id': ({ groupId, bob }) => ({
    user_group_id: String(groupId),
    user_id: String(bob.id),
  }),
  'POST /user_groups/:user_group_id/members': ({ groupId, carol }) => ({
    user_group_id: String(groupId),
    add: `[${carol.id}]`,
  }),
  'GET /user_groups/:user_group_id/subgroups': ({ groupId }) => ({ user_group_id: String(groupId) }),
  'POST /user_groups/:user_group_id/subgroups': ({ groupId, innerGroupId }) => ({
    user_group_id: String(groupId),
    add: `[${innerGroupId}]`,
  }),
};
