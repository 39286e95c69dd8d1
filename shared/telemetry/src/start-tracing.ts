import type { Logger } from '@parley/kit';

import { setTracing } from './tracing.ts';

interface TracingConfig {
  OTEL_EXPORTER_OTLP_ENDPOINT?: string | undefined;
  OTEL_TRACES_SAMPLER_ARG: number;
}

/** Makes traces if there is somewhere to send them, until disposed of. What makes them is loaded only then. */
export async function startTracing(
  config: TracingConfig,
  role: string,
  logger: Logger,
): Promise<AsyncDisposable> {
  const endpoint = config.OTEL_EXPORTER_OTLP_ENDPOINT;
  if (endpoint === undefined) return { [Symbol.asyncDispose]: () => Promise.resolve() };
  const { createTracing } = await import('./otlp.ts');
  const started = createTracing({ endpoint, role, ratio: config.OTEL_TRACES_SAMPLER_ARG, logger });
  setTracing(started);
  return {
    async [Symbol.asyncDispose]() {
      setTracing(null);
      await started[Symbol.asyncDispose]();
    },
  };
}
