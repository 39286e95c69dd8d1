import { z } from 'zod';

/** Variables of every role by which operators see what it does. */
export const telemetryConfig = {
  METRICS_PORT: z.coerce
    .number()
    .int()
    .min(0)
    .max(65535)
    .optional()
    .describe('port of its own for `/metrics`; 0 picks a free one'),
};
