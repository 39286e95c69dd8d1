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
  OTEL_EXPORTER_OTLP_ENDPOINT: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('collector that traces are sent to, by OTLP over HTTP'),
  OTEL_TRACES_SAMPLER_ARG: z.coerce
    .number()
    .min(0)
    .max(1)
    .default(1)
    .describe('part of the requests that is traced, from 0 to 1'),
};
