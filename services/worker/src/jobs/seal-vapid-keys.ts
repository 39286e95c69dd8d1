import * as actions from '@parley/actions';

import type { RecurringJob } from '../job.ts';

/** While the secret is being changed, seals with the present one what the other one has sealed. */
export const sealVapidKeysJob: RecurringJob = {
  name: 'seal-vapid-keys',
  everySeconds: 60,
  async run({ engine, secrets }) {
    let sealed = 0;
    if (secrets[1] === undefined) return { sealed };
    await engine.sweep(async (db, realmIds) => {
      const ofServer = await actions.vapidKeys.sealAnew(db, secrets, realmIds);
      sealed += ofServer;
    });
    return { sealed };
  },
};
