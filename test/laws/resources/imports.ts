import { type Person, getWorld, makeImport } from '../../support/index.ts';
import type { Case, Table } from '../fixtures/cases.ts';
import type { Requests } from '../fixtures/endpoints.ts';

/** As if nothing were being imported: an organization imports one archive at a time. */
async function endAll({ realm }: Person): Promise<void> {
  const { sql } = await getWorld();
  await sql`delete from archive_imports where realm_id = ${realm.id}`;
}

/** What owners of any organization may ask for at home. */
const anyOwner: Case = {
  of: 'the organization’s',
  params: () => ({}),
  may: ['owner', 'otherRealm'],
  code: 'UNAUTHORIZED_PRINCIPAL',
};

/** What owners of the same organization do. */
const ofOwners: Case = {
  of: 'another’s',
  async params({ owner }) {
    await endAll(owner);
    return { import_id: await makeImport(owner) };
  },
  may: ['owner'],
  code: 'UNAUTHORIZED_PRINCIPAL',
  codes: { otherRealm: 'BAD_REQUEST' },
};

/** The archive of nobody. */
const unknownArchive: Case = {
  of: 'that is not there',
  params: () => ({ id: 'x'.repeat(32) }),
  may: [],
  code: 'UNAUTHORIZED_PRINCIPAL',
  codes: { owner: 'NOT_FOUND', otherRealm: 'NOT_FOUND' },
};

export const access: Table = {
  'GET /realm/imports': [anyOwner],
  'GET /realm/imports/:import_id': [ofOwners],
  'POST /realm/imports/:import_id/confirm': [ofOwners],
  'DELETE /realm/imports/:import_id': [ofOwners],
  'POST /realm/import_archives': [
    {
      ...anyOwner,
      async params({ owner }) {
        await endAll(owner);
        return {};
      },
    },
  ],
  'HEAD /realm/import_archives/:id': [
    {
      ...unknownArchive,
      code: '400',
      codes: { owner: '404', otherRealm: '404', intruder: '401', deactivated: '401', anonymous: '401' },
    },
  ],
  'PATCH /realm/import_archives/:id': [unknownArchive],
  'DELETE /realm/import_archives/:id': [unknownArchive],
};

export const requests: Requests = {
  'GET /realm/imports': () => ({}),
  'GET /realm/imports/:import_id': ({ importId }) => ({ import_id: String(importId) }),
  'POST /realm/imports/:import_id/confirm': ({ importId }) => ({ import_id: String(importId) }),
  'DELETE /realm/imports/:import_id': ({ importId }) => ({ import_id: String(importId) }),
  'POST /realm/import_archives': () => ({}),
  'HEAD /realm/import_archives/:id': () => ({ id: 'x'.repeat(32) }),
  'PATCH /realm/import_archives/:id': () => ({ id: 'x'.repeat(32) }),
  'DELETE /realm/import_archives/:id': () => ({ id: 'x'.repeat(32) }),
};
