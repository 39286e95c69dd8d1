import { z } from 'zod';

/** Variables of every role by which operators see what it does. */
export const telemetryConfig = {
  METRICS_PORT: z.coerce
    .number()
    .int()
    .min(0)
    .max(65535)
    .optional()
    .describe('Separate port that serves `/metrics` and `/health`. 0 chooses a free one.'),
  OTEL_EXPORTER_OTLP_ENDPOINT: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('URL of the collector that receives traces, by OTLP over HTTP.'),
  OTEL_TRACES_SAMPLER_ARG: z.coerce
    .number()
    .min(0)
    .max(1)
    .default(1)
    .describe('Fraction of requests that are traced, from 0 to 1.'),
};
