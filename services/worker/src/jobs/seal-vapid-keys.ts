import * as actions from '@parley/actions';

import type { RecurringJob } from '../job.ts';

/** While the secret is being changed, seals with the present one what the other one has sealed. */
export const sealVapidKeysJob: RecurringJob = {
  name: 'seal-vapid-keys',
  everySeconds: 60,
  async run({ engine, secrets }) {
    return { sealed: secrets[1] === undefined ? 0 : await actions.vapidKeys.sealAnew(engine.db, secrets) };
  },
};
