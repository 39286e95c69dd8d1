import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { createLogger } from '@parley/kit';
import { startTracing } from '@parley/telemetry';

/** A span as a collector receives it. */
interface CollectedSpan {
  service: string;
  name: string;
  traceId: string;
  spanId: string;
  /** Not there for the first of a trace. */
  parentSpanId?: string;
  attributes: Record<string, string | number | undefined>;
}

/** Receives traces by OTLP over HTTP. */
export interface TraceCollector extends AsyncDisposable {
  url: string;
  spans: CollectedSpan[];
}

interface OtlpAttribute {
  key: string;
  value: { stringValue?: string; intValue?: number };
}

interface OtlpTraces {
  resourceSpans: {
    resource: { attributes: OtlpAttribute[] };
    scopeSpans: {
      spans: (Omit<CollectedSpan, 'service' | 'attributes'> & { attributes: OtlpAttribute[] })[];
    }[];
  }[];
}

const readAttributes = (attributes: readonly OtlpAttribute[]) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue ?? value.intValue]));

function readSpans({ resourceSpans }: OtlpTraces): CollectedSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const service = String(readAttributes(resource.attributes)['service.name']);
    return scopeSpans.flatMap(({ spans }) =>
      spans.map(({ name, traceId, spanId, parentSpanId, attributes }) => ({
        service,
        name,
        traceId,
        spanId,
        parentSpanId,
        attributes: readAttributes(attributes),
      })),
    );
  });
}

export async function startTraceCollector(): Promise<TraceCollector> {
  const spans: CollectedSpan[] = [];
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk) => (text += String(chunk)));
    request.on('end', () => {
      if (request.url === '/v1/traces') spans.push(...readSpans(JSON.parse(text) as OtlpTraces));
      response.writeHead(200, { 'Content-Type': 'application/json' }).end('{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Sends all traces of this process to the collector, until it is disposed; then all have arrived. */
export const sendTraces = async ({ url }: TraceCollector): Promise<AsyncDisposable> =>
  await startTracing(
    { OTEL_EXPORTER_OTLP_ENDPOINT: url, OTEL_TRACES_SAMPLER_ARG: 1 },
    'test',
    createLogger({ role: 'test', level: 'silent' }),
  );
