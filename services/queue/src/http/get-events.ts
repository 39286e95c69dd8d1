import { readBasicAuth } from '@parley/http';
import type { Clock } from '@parley/kit';

import { isVerifiedHeader } from '../queues/queue-credentials.ts';
import type { Queues } from '../queues/queues.ts';
import type { EventsHandler } from './events-handler.ts';
import { missingQueueId, readEventsQuery } from './events-parameters.ts';
import type { Handle } from './route.ts';
import type { SessionParser } from './session-parser.ts';

/** Serves GET /events: reads what the request carries, and hands it to the events handler. */
export function createGetEvents(deps: GetEventsDeps): Handle {
  const { realmOf, handler, queues, heartbeat, clock, sessions = null } = deps;

  return (exchange, query) => {
    const parameters = readEventsQuery(query);
    const { head, authentication, request, poll } = exchange;
    const realm = realmOf(head.host);
    const live = parameters.queueId === null ? undefined : queues.find(parameters.queueId);
    // Nearly every poll carries the very header that was verified before.
    if (sessions) {
      authentication.isBySession = true;
      authentication.session = sessions.read(head.cookie);
    } else if (live && isVerifiedHeader(live, head.authorization) && realm === live.queue.realm) {
      authentication.verified = live.credentials;
    } else readBasicAuth(head.authorization);
    if (parameters.queueId === null) throw missingQueueId();
    // The node's own text, if it has one: then nothing of the request is kept in memory while it waits.
    request.queueId = live?.queue.id ?? parameters.queueId;
    request.live = live ?? null;
    authentication.realm = realm;
    request.parameters = parameters;
    exchange.startedMs = clock.nowMs();
    poll.dueMs = exchange.startedMs + heartbeat.minMs + Math.random() * heartbeat.spreadMs;
    handler.handle(exchange);
  };
}

interface GetEventsDeps {
  /** Reads the sessions of browsers, at the address that takes nothing else. */
  sessions?: SessionParser;
  /** The realm that a Host header names. */
  readonly realmOf: (host: string | undefined) => string | null;
  handler: EventsHandler;
  queues: Queues;
  heartbeat: { minMs: number; spreadMs: number };
  clock: Clock;
}
