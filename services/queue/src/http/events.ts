import { type Hosts, readBasicAuth, readForm, realmOfHost } from '@parley/http';
import { ApiError } from '@parley/protocol';

import type { Polls } from '../core/polls.ts';
import type { Realms } from '../log/follow-realms.ts';
import { type Owners, checkOwner, isProof } from '../queues/queue-credentials.ts';
import type { Queues } from '../queues/queues.ts';
import type { RateLimiter } from '../rate-limit.ts';
import type { Desk } from './events-handler.ts';
import { readEventsForm, readEventsQuery } from './events-parameters.ts';
import type { Handle } from './events-server.ts';
import type { Asking } from './poll-response.ts';
import { readBody } from './read-body.ts';
import { sendJson } from './reply.ts';

export interface EventsHandlersNeeds {
  hosts: Hosts;
  desk: Desk;
  polls: Polls<Asking>;
  queues: Queues;
  owners: Owners;
  realms: Realms;
  rateLimiter: RateLimiter;
  heartbeat: { minMs: number; spreadMs: number };
  nowMs(): number;
  onError(res: Asking, error: unknown): void;
}

const hostsKeptMax = 1000;

const missingQueueId = () =>
  new ApiError('REQUEST_VARIABLE_MISSING', "Missing 'queue_id' argument", { var_name: 'queue_id' });

/** GET and DELETE /events. */
export function createEventsHandlers(needs: EventsHandlersNeeds): { get: Handle; delete: Handle } {
  const { hosts, desk, polls, queues, owners, realms, rateLimiter, heartbeat, nowMs, onError } = needs;

  /** Nearly all requests name the same few hosts. */
  const realmsByHost = new Map<string | undefined, string | null>();
  function realmOf(host: string | undefined): string | null {
    let realm = realmsByHost.get(host);
    if (realm === undefined) {
      realm = realmOfHost(host, hosts);
      if (realmsByHost.size >= hostsKeptMax) realmsByHost.clear();
      realmsByHost.set(host, realm);
    }
    return realm;
  }

  /** The client hung up: its poll waits no more, its events stay where they are. */
  function onClose(this: Asking): void {
    if (this.poll) polls.remove(this.poll);
    this.poll = null;
  }

  async function end(res: Asking, query: string): Promise<void> {
    const { req } = res;
    const credentials = readBasicAuth(req.headers.authorization);
    const fromBody = readEventsForm(readForm(await readBody(req)));
    const fromQuery = readEventsQuery(query);
    const queueId = fromBody.queueId ?? fromQuery.queueId;
    if (queueId === null) throw missingQueueId();
    const { queue } = await queues.get(queueId);
    await realms.open(queue.realmId);
    checkOwner(queue, await owners.find(queue.userId), credentials, realmOf(req.headers.host));
    rateLimiter.count(queue.userId, nowMs());
    await queues.end(queueId);
    polls.displace(queueId);
    const ignored = [...new Set([...fromBody.ignored, ...fromQuery.ignored])].sort();
    const unsupported = ignored.length > 0 ? { ignored_parameters_unsupported: ignored } : {};
    sendJson(res, 200, { result: 'success', msg: '', ...unsupported });
  }

  return {
    get(asking, query) {
      const { headers } = asking.req;
      const parameters = readEventsQuery(query);
      const realm = realmOf(headers.host);
      const live = parameters.queueId === null ? undefined : queues.find(parameters.queueId);
      // Nearly every poll shows the very header that the queue's owner was known by before.
      if (live && isProof(live, headers.authorization) && realm === live.queue.realm)
        asking.provedBy = live.owner;
      else readBasicAuth(headers.authorization);
      if (parameters.queueId === null) throw missingQueueId();
      asking.queueId = parameters.queueId;
      asking.realm = realm;
      asking.parameters = parameters;
      asking.startedMs = nowMs();
      asking.dueMs = asking.startedMs + heartbeat.minMs + Math.random() * heartbeat.spreadMs;
      asking.on('close', onClose);
      desk.take(asking);
    },
    delete(res, query) {
      end(res, query).catch((error: unknown) => onError(res, error));
    },
  };
}
