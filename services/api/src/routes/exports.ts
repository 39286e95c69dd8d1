import * as actions from '@parley/actions';
import * as model from '@parley/model';
import { ExportConsent, RealmExport, exportTypes } from '@parley/protocol';
import { z } from 'zod';

import { endpoint, form } from '../endpoint/endpoint.ts';

const requires = ['administrator'] as const;

export const exportRoutes = [
  endpoint({
    method: 'POST',
    path: '/export/realm',
    summary: "Asks for an export of the organization's data, which workers make.",
    since: null,
    errors: [],
    requires,
    params: { export_type: form.json(z.literal(Object.values(exportTypes))).default(exportTypes.public) },
    returns: { id: z.int() },
    async handle({ actor, params, clock, exports, perform }) {
      const input = { type: params.export_type, limits: exports.limits, now: new Date(clock.nowMs()) };
      const { id } = await perform(actions.exports.request, { actor, ...input });
      return { id };
    },
  }),

  endpoint({
    method: 'GET',
    path: '/export/realm',
    summary: "Lists the exports of the organization's data.",
    since: null,
    errors: [],
    requires,
    params: {},
    returns: { exports: z.array(RealmExport) },
    handle: async ({ realm, snapshot }) => ({
      exports: await snapshot((tx) => model.exports.listShownExports(tx, realm)),
    }),
  }),

  endpoint({
    method: 'DELETE',
    path: '/export/realm/:export_id',
    summary: 'Deletes the archive of an export.',
    since: null,
    errors: [],
    requires,
    params: { export_id: form.id() },
    returns: {},
    async handle({ actor, params, clock, perform }) {
      const now = new Date(clock.nowMs());
      await perform(actions.exports.remove, { actor, id: params.export_id, now });
      return {};
    },
  }),

  endpoint({
    method: 'GET',
    path: '/export/realm/consents',
    summary: 'Lists who lets exports contain what is private of theirs.',
    since: 295,
    errors: [],
    requires,
    params: {},
    returns: { export_consents: z.array(ExportConsent) },
    handle: async ({ realm, snapshot }) => ({
      export_consents: await snapshot((tx) => model.exports.listExportConsents(tx, realm.id)),
    }),
  }),
];
