import { makeExport } from '../../support/index.ts';
import { administrators } from '../fixtures/callers.ts';
import { type Case, type Table, ofAdministrators } from '../fixtures/cases.ts';
import type { Requests } from '../fixtures/endpoints.ts';

/** What an administrator of any organization may ask for at home. */
const anyAdministrator: Case = {
  of: 'the organization’s',
  params: () => ({}),
  may: [...administrators, 'otherRealm'],
  code: 'UNAUTHORIZED_PRINCIPAL',
};

export const access: Table = {
  'POST /export/realm': [anyAdministrator],
  'GET /export/realm': [anyAdministrator],
  'GET /export/realm/consents': [anyAdministrator],
  'DELETE /export/realm/:export_id': ofAdministrators('another’s', async ({ owner }) => ({
    export_id: await makeExport(owner),
  })),
};

export const requests: Requests = {
  'POST /export/realm': () => ({ export_type: '2' }),
  'GET /export/realm': () => ({}),
  'GET /export/realm/consents': () => ({}),
  'DELETE /export/realm/:export_id': ({ exportId }) => ({ export_id: String(exportId) }),
};
