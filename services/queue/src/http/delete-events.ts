import { readBasicAuth, readForm } from '@parley/http';
import type { Clock } from '@parley/kit';
import type { DatabaseWatch } from '@parley/log';
import type { RateLimiter } from '@parley/redis';

import type { Polls } from '../core/polls.ts';
import type { Realms } from '../log/realms.ts';
import type { CredentialsStore } from '../queues/credentials-store.ts';
import { checkCredentials } from '../queues/queue-credentials.ts';
import type { Queues } from '../queues/queues.ts';
import type { ErrorHandler } from './error-handler.ts';
import { missingQueueId, readEventsForm, readEventsQuery } from './events-parameters.ts';
import type { Handle } from './events-server.ts';
import type { PollResponse } from './poll-response.ts';
import { sendJson } from './send-json.ts';
import type { SessionReader } from './session-reader.ts';

/** DELETE /events: ends the queue, on every node. A poll of it that waits here is answered. */
export function createDeleteEvents(deps: DeleteEventsDeps): Handle {
  const {
    database,
    realmOf,
    polls,
    queues,
    credentials,
    realms,
    rateLimiter,
    clock,
    sessions = null,
    onError,
  } = deps;

  function present(response: PollResponse) {
    const { headers } = response.req;
    if (!sessions) return readBasicAuth(headers.authorization);
    response.isBySession = true;
    const session = sessions.read(headers.cookie);
    sessions.assertOwnPage(session, headers['x-csrftoken']?.toString());
    return session;
  }

  async function deleteQueue(response: PollResponse, query: string, body: string): Promise<void> {
    const { req } = response;
    const presented = present(response);
    const fromBody = readEventsForm(readForm(body));
    const fromQuery = readEventsQuery(query);
    const queueId = fromBody.queueId ?? fromQuery.queueId;
    if (queueId === null) throw missingQueueId();
    const { queue } = await queues.get(queueId);
    await realms.open(queue.realmId);
    checkCredentials(
      queue,
      await credentials.find(queue.userId),
      presented,
      realmOf(req.headers.host),
      clock.nowMs(),
    );
    rateLimiter.take(queue.userId);
    await queues.end(queue);
    polls.displace(queueId);
    const ignored = [...new Set([...fromBody.ignored, ...fromQuery.ignored])].sort();
    const unsupported = ignored.length > 0 ? { ignored_parameters_unsupported: ignored } : {};
    sendJson(response, 200, { result: 'success', msg: '', ...unsupported });
  }

  return (response, query, body) => {
    database
      .whileAnswering(() => deleteQueue(response, query, body))
      .catch((error: unknown) => onError(response, error));
  };
}

interface DeleteEventsDeps {
  /** Reads the sessions of browsers, at the address that takes nothing else. */
  sessions?: SessionReader;
  clock: Clock;
  database: DatabaseWatch;
  /** The realm that a Host header names. */
  realmOf(host: string | undefined): string | null;
  polls: Polls<PollResponse>;
  queues: Queues;
  credentials: CredentialsStore;
  realms: Realms;
  rateLimiter: RateLimiter<void>;
  onError: ErrorHandler;
}
