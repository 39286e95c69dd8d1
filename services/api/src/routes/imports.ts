import * as actions from '@parley/actions';
import * as model from '@parley/model';
import { ApiError, ArchiveImport, ArchivePlan } from '@parley/protocol';
import { z } from 'zod';

import { endpoint, form } from '../endpoint/endpoint.ts';

const requires = ['owner'] as const;

/** Imports of archives into the organization. Archives arrive by `archiveEndpoints`. */
export const importRoutes = [
  endpoint({
    method: 'GET',
    path: '/realm/imports',
    summary: 'Lists the imports of archives into the organization, newest first.',
    since: null,
    errors: [],
    requires,
    params: {},
    returns: {
      imports: z.array(ArchiveImport),
      /** The largest archive that is taken, in bytes; 0 if none is. */
      max_archive_bytes: z.int(),
    },
    handle: async ({ realm, imports, snapshot }) => ({
      imports: (await snapshot((tx) => model.archiveImports.listImports(tx, realm))).map(
        model.archiveImports.presentImport,
      ),
      max_archive_bytes: imports.bytesMax,
    }),
  }),

  endpoint({
    method: 'GET',
    path: '/realm/imports/:import_id',
    summary: 'Returns an import with its plan and, when it has ended, its report.',
    since: null,
    errors: [],
    requires,
    params: { import_id: form.bigId() },
    returns: {
      import: ArchiveImport,
      plan: ArchivePlan.nullable(),
      report: ArchivePlan.nullable(),
    },
    async handle({ realm, params, snapshot }) {
      const row = await snapshot((tx) => model.archiveImports.findImport(tx, realm, params.import_id));
      if (!row) throw new ApiError('BAD_REQUEST', 'This import does not exist.');
      return model.archiveImports.presentImportInFull(row);
    },
  }),

  endpoint({
    method: 'POST',
    path: '/realm/imports/:import_id/confirm',
    summary: 'Has an archive imported of which the plan is known.',
    since: null,
    errors: [],
    requires,
    params: { import_id: form.bigId() },
    returns: {},
    async handle({ actor, params, clock, perform }) {
      const now = new Date(clock.nowMs());
      await perform(actions.archiveImports.confirm, { actor, id: params.import_id, now });
      return {};
    },
  }),

  endpoint({
    method: 'DELETE',
    path: '/realm/imports/:import_id',
    summary: 'Gives an import up before it has begun, and deletes its archive.',
    since: null,
    errors: [],
    requires,
    params: { import_id: form.bigId() },
    returns: {},
    async handle({ actor, params, clock, perform }) {
      const now = new Date(clock.nowMs());
      await perform(actions.archiveImports.cancel, { actor, id: params.import_id, now });
      return {};
    },
  }),
];
