import type { BasicCredentials } from '@parley/http';

import type { Poll } from './core/poll.ts';
import type { EventsParameters } from './http/parameters.ts';
import type { EventsResponse } from './http/server.ts';

/** One GET /events, from its arrival to its answer. */
export interface Asking {
  readonly res: EventsResponse;
  readonly queueId: string;
  readonly credentials: BasicCredentials;
  /** The realm that the request's host names. */
  readonly realm: string | null;
  readonly parameters: EventsParameters;
  readonly startedMs: number;
  /** When it is answered with a heartbeat at the latest. */
  readonly dueMs: number;
  /** It counts against the rate limit once, however often it is looked at again. */
  isCounted: boolean;
  /** Set while it waits. */
  poll: Poll<Asking> | null;
}
