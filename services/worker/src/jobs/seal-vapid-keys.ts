import * as actions from '@parley/actions';
import { sum } from '@parley/kit';

import type { RecurringJob } from '../job.ts';

/** While the secret is being changed, seals with the present one what the other one has sealed. */
export const sealVapidKeysJob: RecurringJob = {
  name: 'seal-vapid-keys',
  everySeconds: 60,
  async run({ engine, secrets }) {
    if (secrets[1] === undefined) return { sealed: 0 };
    const sealed = await engine.sweep((db, realmIds) => actions.vapidKeys.sealAnew(db, secrets, realmIds));
    return { sealed: sum(sealed) };
  },
};
