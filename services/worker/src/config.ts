import { z } from 'zod';

import { Networks } from './outbound/networks.ts';

/** Configuration variables of workers, beside those of every service. */
export const workerConfig = {
  WEBHOOK_ALLOWED_NETWORKS: z
    .string()
    .default('')
    .pipe(Networks)
    .describe('addresses and ranges inside one’s own network that outgoing webhooks may reach'),
  CANARY_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('public address through which workers send themselves a message, to measure it'),
  CANARY_REALM: z
    .string()
    .regex(/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/, 'is not a subdomain')
    .default('canary')
    .describe('organization of its own in which they do so'),
  CANARY_SECONDS: z.coerce.number().min(1).max(3600).default(15).describe('how often they do so'),
};
