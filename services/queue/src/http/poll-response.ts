import { type IncomingMessage, ServerResponse } from 'node:http';

import type { PresentedSession } from '@parley/http';

import type { Poll } from '../core/poll.ts';
import type { QueueCredentials } from '../queues/queue-credentials.ts';
import type { EventsParameters } from './events-parameters.ts';

/**
 * The response to one GET /events, with the state of its request until it is answered. Thousands of requests wait at
 * once, so the state is kept in the response itself and not in further objects.
 */
export class PollResponse<Request extends IncomingMessage = IncomingMessage> extends ServerResponse<Request> {
  /** The session that the request carries, at the addresses that take one. */
  session: PresentedSession | null = null;
  /** Whether it came to such an address. */
  isBySession = false;
  /** The id of the request; empty until it is answered. */
  requestId = '';
  queueId = '';
  /** The realm that the request's host names. */
  realm: string | null = null;
  /** The parameters as they came; null once they are parsed into the next three fields. */
  parameters: EventsParameters | null = null;
  lastEventId = -1;
  dontBlock = false;
  /** Names of parameters that this endpoint does not know. */
  ignored: readonly string[] = [];
  startedMs = 0;
  /** When it is answered with a heartbeat at the latest. */
  dueMs = 0;
  /** The credentials that the request was verified to carry. */
  authenticatedAs: QueueCredentials | null = null;
  /** It was counted against the rate limit: once, however often it is handled. */
  isCounted = false;
  /** Set while it waits. */
  poll: Poll<PollResponse> | null = null;
}
