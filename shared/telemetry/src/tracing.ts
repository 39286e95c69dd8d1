/** Where a trace goes on: W3C's traceparent. */
export type TraceParent = string;

type Attributes = Readonly<Record<string, string | number>>;

/** A span while its work is under way. */
interface OpenSpan {
  rename(name: string): void;
  set(attributes: Attributes): void;
  /** It went wrong by the server's fault. */
  fail(): void;
}

/** The traces of this process. */
export interface Tracing extends AsyncDisposable {
  /** Measures work as a part of what is measured around it, or of `parent`. */
  span<Result>(
    name: string,
    work: (span: OpenSpan) => Promise<Result>,
    parent?: TraceParent,
  ): Promise<Result>;
  /** The work that is measured here and now; undefined if it is not sampled. */
  current(): TraceParent | undefined;
  /** A log entry of a traced change is given to the stream. Returns what is carried with it. */
  published(parent: TraceParent, attributes: Attributes): TraceParent;
  /** A log entry of a traced change was received. The newest thousands are remembered. */
  received(entry: LogEntryKey, parent: TraceParent): void;
  /** A poll is answered with the entry. The first few of each traced entry are recorded. */
  delivered(entry: LogEntryKey, attributes: Attributes): void;
}

export interface LogEntryKey {
  realmId: number;
  seq: number;
}

let tracing: Tracing | null = null;

/** Returns the traces of this process; null where none are made. */
export const currentTracing = (): Tracing | null => tracing;

/** Measures work as a part of the trace that it belongs to, if traces are made. */
export async function traced<Result>(
  name: string,
  work: () => Promise<Result>,
  attributes?: Attributes,
): Promise<Result> {
  if (!tracing) return await work();
  return await tracing.span(name, (span) => {
    if (attributes) span.set(attributes);
    return work();
  });
}

export function setTracing(started: Tracing | null): void {
  tracing = started;
}
