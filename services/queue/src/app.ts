import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';

import { deriveApiKey } from '@parley/http';
import { type Follower, createAudiences, createFollower } from '@parley/log';
import { eventFamilies } from '@parley/protocol';
import { createRegistry, listenForControl, listenForEphemerals } from '@parley/redis';

import { createPolls } from './core/polls.ts';
import { type ReadyEntry, createEntryReader } from './core/ready-entry.ts';
import { every } from './every.ts';
import { drainPolls } from './http/drain-polls.ts';
import { createDesk } from './http/events-handler.ts';
import { closeServer, createEventsServer } from './http/events-server.ts';
import { createEventsHandlers } from './http/events.ts';
import type { Asking } from './http/poll-response.ts';
import { sendEvents, sendJson } from './http/reply.ts';
import { createReporter } from './http/report.ts';
import { type Realm, followRealms } from './log/follow-realms.ts';
import { createOldLog } from './log/old-log.ts';
import { type QueueNodeNeeds, queueNodeDefaults } from './options.ts';
import { createOwners } from './queues/queue-credentials.ts';
import { createQueues } from './queues/queues.ts';
import { createRateLimiter } from './rate-limit.ts';

export interface QueueNode extends AsyncDisposable {
  /** Resolves with the port. */
  listen(port: number, host: string): Promise<number>;
  /** Stops accepting, and answers every waiting poll with a heartbeat: its client comes back to another node. */
  drain(): Promise<void>;
}

/** Also how exact the time is that polls are measured with. */
const wheelMs = 250;
const memoryCheckMs = 500;
const renewMs = 2000;
const sweepMs = 5000;

export function createQueueNode(needs: QueueNodeNeeds): QueueNode {
  const { sql, connectRedis, logger, clock, secret, hosts, partitions } = needs;
  const options = { ...queueNodeDefaults, ...needs.options };
  const nodeId = randomUUID();
  const stopping = new AbortController();
  // Asking the system for the time at every poll cost 8 % of a node's CPU.
  let lastTickMs = clock.nowMs();
  const nowMs = () => lastTickMs;

  const redis = connectRedis({ name: 'queue', blocking: false });
  const audiences = createAudiences({ sql });
  const owners = createOwners({ sql, secret });
  const rateLimiter = createRateLimiter(options.rateLimit);
  const report = createReporter({ logger, nowMs });
  const readEntry = createEntryReader({
    families: eventFamilies,
    onUnreadable: ({ seq, event: { type } }, reason) =>
      logger.error({ seq, type, reason }, 'unreadable log entry'),
    secrets: { apiKeyOf: ({ id, keyGeneration }) => deriveApiKey(secret, id, keyGeneration) },
  });

  const follower: Follower = createFollower(
    {
      sql,
      connectRedis: () => connectRedis({ name: 'queue-log', blocking: true }),
      logger,
      partitions,
      tailEntries: options.tailEntries,
    },
    {
      onEntries: (realmId, entries) => realms.take(realmId, entries),
      onNewEpoch: (realmId) => realms.lose(realmId),
    },
  );
  const realms = followRealms({
    follower,
    sql,
    audiences,
    readEntry,
    limits: options,
    logger,
    signal: stopping.signal,
    nowMs,
    onRun,
    onLost: (realmId) => takeAgain(polls.ofRealm(realmId).filter(polls.remove)),
  });
  const polls = createPolls<Asking>({
    sets: audiences,
    limits: options,
    nowMs: nowMs(),
    answer(asking, queue, lines) {
      const live = queues.find(queue.id);
      if (live) queues.touch(live);
      sendEvents(asking, queue.id, lines, asking.ignored);
      if (!asking.poll) report.answered(asking);
      asking.poll = null;
    },
  });
  const queues = createQueues({
    registry: createRegistry(redis),
    clock: { nowMs },
    logger,
    nodeId,
    isWaiting: polls.isWaiting,
  });
  const desk = createDesk({
    queues,
    owners,
    realms,
    oldLog: createOldLog({ sql, readEntry }),
    audiences,
    polls,
    rateLimiter,
    limits: options,
    nowMs,
    fail: report.failed,
  });

  function takeAgain(waiting: readonly { reply: Asking }[]): void {
    for (const { reply } of waiting) desk.take(reply);
  }

  function onRun(realm: Realm, run: readonly ReadyEntry[]): void {
    const revoked = run.flatMap(({ revokes }) => revokes);
    owners.revoke(revoked);
    // Out of reach of this very run, until their credentials have been looked at again.
    const rechecked = revoked.flatMap((userId) => polls.ofUser(realm.id, userId)).filter(polls.remove);
    polls.wake(realm.id, run);
    takeAgain(rechecked);
  }

  const handlers = createEventsHandlers({
    hosts,
    desk,
    polls,
    queues,
    owners,
    realms,
    rateLimiter,
    heartbeat: { minMs: options.heartbeatMinMs + wheelMs, spreadMs: options.heartbeatSpreadMs },
    nowMs,
    onError: report.failed,
  });
  const server = createEventsServer({
    routes: {
      '/api/v1/events': { GET: handlers.get, DELETE: handlers.delete },
      '/health': { GET: (res) => sendJson(res, 200, { result: 'success', msg: '' }) },
    },
    onError: report.failed,
  });

  const control = listenForControl(connectRedis({ name: 'queue-control', blocking: true }), nodeId, logger, {
    onTaken(queueId) {
      queues.release(queueId);
      polls.displace(queueId);
    },
    onEnded(queueId) {
      queues.forget(queueId);
      polls.displace(queueId);
    },
    onListening: queues.writeAllBack,
  });
  const beside = connectRedis({ name: 'queue-ephemeral', blocking: true });
  const whispers = listenForEphemerals(beside, partitions, logger, {
    onEphemeral: realms.takeEphemeral,
  });
  const periodic = [
    every(wheelMs, logger, () => {
      lastTickMs = clock.nowMs();
      polls.tick(lastTickMs);
    }),
    every(memoryCheckMs, logger, queues.watchMemory),
    every(renewMs, logger, queues.renew),
    every(sweepMs, logger, () => {
      const served = queues.sweep();
      for (const { id } of realms.all()) if (!served.has(id)) realms.close(id);
    }),
  ];

  return {
    async listen(port, host) {
      await new Promise<void>((resolve, reject) => {
        server.once('error', reject);
        server.listen({ port, host, backlog: 4096 }, resolve);
      });
      return (server.address() as AddressInfo).port;
    },
    async drain() {
      server.isDraining = true;
      server.close();
      desk.stopWaiting();
      await drainPolls(polls, options.drainMs);
      await queues.renew();
      await closeServer(server);
    },
    async [Symbol.asyncDispose]() {
      stopping.abort();
      for (const one of [control, whispers, ...periodic]) one[Symbol.dispose]();
      await closeServer(server);
      await follower[Symbol.asyncDispose]();
      redis.disconnect();
    },
  };
}
