import type { Cluster } from '@parley/infra';

import { type Measured, readMetrics } from '../support/metrics.ts';

const msMax = 10_000;

/** What a node measures, asked over a connection of its own: a node that has much to do ends those that it might have kept. */
export async function metricsOf({
  metricsUrl,
}: Pick<Cluster['nodes'][number], 'metricsUrl'>): Promise<Measured> {
  const headers = { connection: 'close' };
  const reply = await fetch(metricsUrl, { headers, signal: AbortSignal.timeout(msMax) });
  return readMetrics(await reply.text());
}
