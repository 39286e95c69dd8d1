import {
  type Context,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  context,
  trace,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  NodeTracerProvider,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace-node';
import type { Logger } from '@parley/kit';

import type { LogEntryKey, TraceParent, Tracing } from './tracing.ts';

/** Entries whose traces are remembered, and the polls of each that are recorded. */
const entriesMax = 5000;
const pollsMax = 10;
const stopMsMax = 2000;

interface OtlpOptions {
  endpoint: string;
  role: string;
  /** The part of the traces that begin here which is recorded. */
  ratio: number;
  logger: Logger;
}

/** Makes traces and sends them to a collector, by OTLP over HTTP. */
export function createTracing({ endpoint, role, ratio, logger }: OtlpOptions): Tracing {
  const exporter = new OTLPTraceExporter({ url: `${endpoint.replace(/\/$/, '')}/v1/traces` });
  const provider = new NodeTracerProvider({
    resource: resourceFromAttributes({ 'service.name': `parley-${role}`, 'process.pid': process.pid }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) }),
    spanProcessors: [new BatchSpanProcessor(exporter, { scheduledDelayMillis: 1000 })],
  });
  provider.register();
  const tracer = provider.getTracer('parley');
  logger.info({ endpoint, ratio }, 'tracing is on');

  const entries = new Map<string, { parent: TraceParent; pollsLeft: number }>();

  /** A span of something that takes no time. */
  function mark(
    name: string,
    kind: SpanKind,
    parent: TraceParent,
    attributes: Readonly<Record<string, string | number>>,
  ): TraceParent {
    const span = tracer.startSpan(name, { kind, attributes }, contextOf(parent));
    span.end();
    return parentOf(span) ?? parent;
  }

  return {
    async span(name, work, parent) {
      const around = parent === undefined ? context.active() : contextOf(parent);
      const kind = trace.getSpan(around)?.isRecording() ? SpanKind.INTERNAL : SpanKind.SERVER;
      return await tracer.startActiveSpan(name, { kind }, around, async (span) => {
        const fail = () => span.setStatus({ code: SpanStatusCode.ERROR });
        try {
          return await work({
            rename: (name) => span.updateName(name),
            set: (attributes) => span.setAttributes({ ...attributes }),
            fail,
          });
        } catch (error) {
          fail();
          throw error;
        } finally {
          span.end();
        }
      });
    },
    current: () => parentOf(trace.getActiveSpan()),
    published: (parent, attributes) => mark('log publish', SpanKind.PRODUCER, parent, attributes),
    received(entry, parent) {
      if (!isTraceParent(parent)) return;
      const [oldest] = entries.keys();
      if (entries.size >= entriesMax && oldest !== undefined) entries.delete(oldest);
      const received = mark('log receive', SpanKind.CONSUMER, parent, { 'parley.seq': entry.seq });
      entries.set(keyOf(entry), { parent: received, pollsLeft: pollsMax });
    },
    delivered(entry, attributes) {
      const traced = entries.get(keyOf(entry));
      if (!traced || traced.pollsLeft === 0) return;
      traced.pollsLeft -= 1;
      mark('GET /events', SpanKind.SERVER, traced.parent, attributes);
    },
    async [Symbol.asyncDispose]() {
      const timeout = new Promise<void>((resolve) => setTimeout(resolve, stopMsMax).unref());
      await Promise.race([provider.shutdown().catch(() => undefined), timeout]);
      trace.disable();
      context.disable();
    },
  };
}

const keyOf = ({ realmId, seq }: LogEntryKey) => `${realmId} ${seq}`;

const grammar = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;

const isTraceParent = (text: string) => grammar.test(text);

/** The context of a span of any process; without one if the text names none. */
function contextOf(parent: TraceParent): Context {
  const [, traceId, spanId, flags] = grammar.exec(parent) ?? [];
  if (traceId === undefined || spanId === undefined) return ROOT_CONTEXT;
  const traceFlags = Number.parseInt(flags ?? '0', 16);
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true });
}

/** Null for what is not recorded: nothing of it goes on. */
function parentOf(span: Span | undefined): TraceParent | undefined {
  const { traceId, spanId, traceFlags = TraceFlags.NONE } = span?.spanContext() ?? {};
  if (traceId === undefined || (traceFlags & TraceFlags.SAMPLED) === 0) return undefined;
  return `00-${traceId}-${spanId}-01`;
}
