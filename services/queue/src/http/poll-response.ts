import { type IncomingMessage, ServerResponse } from 'node:http';

import type { Poll } from '../core/poll.ts';
import type { Owner } from '../queues/queue-credentials.ts';
import type { EventsParameters } from './events-parameters.ts';

/**
 * One GET /events, from its arrival to its answer. It is the response itself: what waits by the thousand should be
 * as few objects as it can.
 */
export class Asking<Request extends IncomingMessage = IncomingMessage> extends ServerResponse<Request> {
  queueId = '';
  /** The realm that the request's host names. */
  realm: string | null = null;
  /** As they came; null once they are read into the two fields below. */
  parameters: EventsParameters | null = null;
  lastEventId = -1;
  dontBlock = false;
  /** Names that this endpoint does not know. */
  ignored: readonly string[] = [];
  startedMs = 0;
  /** When it is answered with a heartbeat at the latest. */
  dueMs = 0;
  /** The owner whom its credentials were found to be. */
  provedBy: Owner | null = null;
  /** It counts against the rate limit once, however often it is looked at again. */
  isCounted = false;
  /** Set while it waits. */
  poll: Poll<Asking> | null = null;
}
