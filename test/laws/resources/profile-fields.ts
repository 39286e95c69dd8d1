import { type Params, succeed } from '../../support/index.ts';
import type { Fixture } from '../fixtures/access.ts';
import { accounts } from '../fixtures/callers.ts';
import { type Case, type Table, ofAdministrators, own } from '../fixtures/cases.ts';
import type { Requests } from '../fixtures/endpoints.ts';

const makeProfileField = async ({ owner }: Fixture, name: string) =>
  (await succeed(owner.post('/realm/profile_fields', { name, field_type: 1 })))['id'];

/** A field of the organization’s, filled in by whoever asks. */
const ofProfiles = (verb: string, fill: (id: unknown) => Params): Case[] => [
  {
    of: 'one’s own',
    params: async (here, caller) => fill(await makeProfileField(here, `${verb} by ${caller}`)),
    may: accounts,
    code: 'BAD_REQUEST',
  },
];

/** What may be said of oneself, and what is. */
export const access: Table = {
  'GET /realm/profile_fields': own(),
  'POST /realm/profile_fields': ofAdministrators(
    'the organization’s',
    (_, caller) => ({ name: `of ${caller}`, field_type: 1 }),
    'ok',
  ),
  'PATCH /realm/profile_fields': ofAdministrators('the organization’s', async (here, caller) => {
    await makeProfileField(here, `put in order by ${caller}`);
    const { custom_fields } = await here.owner.get('/realm/profile_fields');
    return { order: custom_fields.map(({ id }: { id: number }) => id) };
  }),
  'PATCH /realm/profile_fields/:field_id': ofAdministrators('the organization’s', async (here, caller) => ({
    field_id: await makeProfileField(here, `changed by ${caller}`),
    hint: 'x',
  })),
  'DELETE /realm/profile_fields/:field_id': ofAdministrators('the organization’s', async (here, caller) => ({
    field_id: await makeProfileField(here, `removed by ${caller}`),
  })),
  'PATCH /users/me/profile_data': ofProfiles('filled', (id) => ({ data: [{ id, value: 'x' }] })),
  'DELETE /users/me/profile_data': ofProfiles('cleared', (id) => ({ data: [id] })),
};

export const requests: Requests = {
  'GET /realm/profile_fields': () => ({}),
  'POST /realm/profile_fields': () => ({ name: `F ${Math.random()}`, field_type: '1' }),
  'PATCH /realm/profile_fields': ({ fieldId }) => ({ order: `[${fieldId}]` }),
  'PATCH /realm/profile_fields/:field_id': ({ fieldId }) => ({ field_id: String(fieldId), hint: 'x' }),
  'DELETE /realm/profile_fields/:field_id': ({ fieldId }) => ({ field_id: String(fieldId) }),
  'PATCH /users/me/profile_data': ({ fieldId }) => ({ data: `[{"id":${fieldId},"value":"x"}]` }),
  'DELETE /users/me/profile_data': ({ fieldId }) => ({ data: `[${fieldId}]` }),
};
