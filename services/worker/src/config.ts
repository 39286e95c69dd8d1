import { z } from 'zod';

import { Networks } from './outbound/networks.ts';

/** Configuration variables of workers, beside those of every service. */
export const workerConfig = {
  WEBHOOK_ALLOWED_NETWORKS: z
    .string()
    .default('')
    .pipe(Networks)
    .describe('addresses and ranges inside one’s own network that outgoing webhooks may reach'),
};
