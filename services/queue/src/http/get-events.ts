import { readBasicAuth } from '@parley/http';
import type { Clock } from '@parley/kit';

import type { Polls } from '../core/polls.ts';
import { isVerifiedHeader } from '../queues/queue-credentials.ts';
import type { Queues } from '../queues/queues.ts';
import type { EventsHandler } from './events-handler.ts';
import { missingQueueId, readEventsQuery } from './events-parameters.ts';
import type { Handle } from './events-server.ts';
import type { PollResponse } from './poll-response.ts';
import type { SessionReader } from './session-reader.ts';

/** GET /events: reads what the request carries, and hands it to the events handler. */
export function createGetEvents(deps: GetEventsDeps): Handle {
  const { realmOf, handler, polls, queues, heartbeat, clock, sessions = null } = deps;

  /** The client hung up: its poll stops waiting, and nothing is lost. */
  function onClose(this: PollResponse): void {
    if (this.poll) polls.remove(this.poll);
    this.poll = null;
  }

  return (response, query) => {
    const { headers } = response.req;
    const parameters = readEventsQuery(query);
    const realm = realmOf(headers.host);
    const live = parameters.queueId === null ? undefined : queues.find(parameters.queueId);
    // Nearly every poll carries the very header that was verified before.
    if (sessions) {
      response.isBySession = true;
      response.session = sessions.read(headers.cookie);
    } else if (live && isVerifiedHeader(live, headers.authorization) && realm === live.queue.realm) {
      response.authenticatedAs = live.credentials;
    } else readBasicAuth(headers.authorization);
    if (parameters.queueId === null) throw missingQueueId();
    response.queueId = parameters.queueId;
    response.realm = realm;
    response.parameters = parameters;
    response.startedMs = clock.nowMs();
    response.dueMs = response.startedMs + heartbeat.minMs + Math.random() * heartbeat.spreadMs;
    response.on('close', onClose);
    handler.handle(response);
  };
}

interface GetEventsDeps {
  /** Reads the sessions of browsers, at the address that takes nothing else. */
  sessions?: SessionReader;
  /** The realm that a Host header names. */
  realmOf(host: string | undefined): string | null;
  handler: EventsHandler;
  polls: Polls<PollResponse>;
  queues: Queues;
  heartbeat: { minMs: number; spreadMs: number };
  clock: Clock;
}
