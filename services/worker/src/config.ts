import { Networks } from '@parley/kit';
import { z } from 'zod';

/** The most connections of each of a worker's pools. */
export const databaseConnections = 4;

/** Configuration variables of workers, beside those of every service. */
export const workerConfig = {
  WEBHOOK_ALLOWED_NETWORKS: z
    .string()
    .default('')
    .pipe(Networks)
    .describe('Addresses and ranges in your own network that outgoing webhooks may reach.'),
  WEB_PUSH_ALLOWED_NETWORKS: z
    .string()
    .default('')
    .pipe(Networks)
    .describe('Addresses and ranges in your own network where browsers have push services.'),
  CANARY_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('Public URL through which workers send themselves messages, to measure delivery.'),
  CANARY_REALM: z
    .string()
    .regex(/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/, 'is not a subdomain')
    .default('canary')
    .describe('Organization for these messages.'),
  IMPORT_DISK_GIB: z.coerce
    .number()
    .min(0)
    .default(40)
    .transform((gib) => (gib === 0 ? null : gib * 2 ** 30))
    .describe(
      'Room for temporary files (TMPDIR) that an import of an owner may take, in GiB. 0 means no limit.',
    ),
  CANARY_SECONDS: z.coerce.number().min(1).max(3600).default(15).describe('Seconds between these messages.'),
};
