import { failExport, makeExport, succeed, workOnExport } from '../../support/index.ts';
import type { Actions, Exercised } from './action.ts';

/** What is carried away. */
export const actions: Actions = {
  async 'exporting, with and without success, and deleting an archive'({ owner, admin }) {
    const old = await makeExport(admin);
    return async () => {
      const { id } = await succeed(owner.post('/export/realm', { export_type: 2 }));
      await workOnExport(owner, id);
      await failExport(owner, (await succeed(admin.post('/export/realm'))).id);
      await succeed(admin.delete(`/export/realm/${old}`));
    };
  },

  async 'consenting to exports'({ owner, alice, bob, carol }) {
    const consent = (by: typeof bob, allow_private_data_export: boolean) =>
      succeed(by.patch('/settings', { allow_private_data_export }));
    for (const person of [bob, carol]) await consent(person, true);
    return async () => {
      await consent(alice, true);
      await consent(bob, false);
      await succeed(owner.delete(`/users/${carol.id}`));
      await succeed(owner.post(`/users/${carol.id}/reactivate`));
    };
  },
};

export const exercised: Exercised = {
  'actions/exports/remove': 'exporting, with and without success, and deleting an archive',
  'actions/exports/request': 'exporting, with and without success, and deleting an archive',
  'actions/exports/work': 'exporting, with and without success, and deleting an archive',
  'model/exports/consents': 'consenting to exports',
  'model/exports/present': 'exporting, with and without success, and deleting an archive',
};
