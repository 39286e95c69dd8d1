import { readBasicAuth, readForm } from '@parley/http';
import type { Clock } from '@parley/kit';
import type { DatabaseWatch } from '@parley/log';
import type { LocalRateLimiter } from '@parley/redis';

import type { Polls } from '../core/polls.ts';
import type { Realms } from '../log/realms.ts';
import type { CredentialsStore } from '../queues/credentials-store.ts';
import { checkCredentials } from '../queues/queue-credentials.ts';
import type { Queues } from '../queues/queues.ts';
import type { ErrorHandler } from './error-handler.ts';
import { missingQueueId, readEventsForm, readEventsQuery } from './events-parameters.ts';
import type { Exchange } from './exchange.ts';
import type { Handle } from './route.ts';
import { sendJson } from './send-json.ts';
import type { SessionParser } from './session-parser.ts';

/** Serves DELETE /events, which ends the queue on every node. A poll of it that waits here is answered. */
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

  function present({ head, authentication }: Exchange) {
    if (!sessions) return readBasicAuth(head.authorization);
    authentication.isBySession = true;
    const session = sessions.read(head.cookie);
    sessions.assertOwnPage(session, head.csrfToken);
    return session;
  }

  async function deleteQueue(exchange: Exchange, query: string, body: string): Promise<void> {
    const presented = present(exchange);
    const fromBody = readEventsForm(readForm(body));
    const fromQuery = readEventsQuery(query);
    const queueId = fromBody.queueId ?? fromQuery.queueId;
    if (queueId === null) throw missingQueueId();
    const { queue } = await queues.get(queueId);
    await realms.open(queue.realmId);
    checkCredentials(
      queue,
      await credentials.find(queue.userId, queue.realmId),
      presented,
      realmOf(exchange.head.host),
      clock.nowMs(),
    );
    rateLimiter.take(queue.userId);
    await queues.end(queue);
    polls.displace(queueId);
    const ignored = [...new Set([...fromBody.ignored, ...fromQuery.ignored])].sort();
    const unsupported = ignored.length > 0 ? { ignored_parameters_unsupported: ignored } : {};
    sendJson(exchange, 200, { result: 'success', msg: '', ...unsupported });
  }

  return (exchange, query, body) => {
    database
      .whileAnswering(() => deleteQueue(exchange, query, body))
      .catch((error: unknown) => onError(exchange, error));
  };
}

interface DeleteEventsDeps {
  /** Reads the sessions of browsers, at the address that takes nothing else. */
  sessions?: SessionParser;
  clock: Clock;
  database: DatabaseWatch;
  /** The realm that a Host header names. */
  readonly realmOf: (host: string | undefined) => string | null;
  polls: Polls<Exchange>;
  queues: Queues;
  credentials: CredentialsStore;
  realms: Realms;
  rateLimiter: LocalRateLimiter;
  onError: ErrorHandler;
}
