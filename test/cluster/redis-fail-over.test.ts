import { setMaxListeners } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { migrate } from '@parley/db';
import { startCluster, tail } from '@parley/infra';
import { createLogger } from '@parley/kit';
import { connectRedis, createSigner, keys, listQueues, partitionOf, redisReady } from '@parley/redis';
import { expect, test, vi } from 'vitest';

import { type Answer, call } from '../chaos/api-client.ts';
import { type ChaosRealm, type Member, createChaosRealm } from '../chaos/chaos-realm.ts';
import { type AttemptedSend, check } from '../chaos/checker.ts';
import { startListener } from '../chaos/listener.ts';
import { openQueueStarts } from '../chaos/queue-starts.ts';
import { readRecordedLog } from '../chaos/recorded-log.ts';
import { checkSchedule, readSchedule } from '../chaos/schedule-checker.ts';
import { scheduleSteadily } from '../chaos/scheduler.ts';
import { sendSteadily } from '../chaos/sender.ts';
import { isNight, seed } from '../support/seed.ts';
import { turns } from '../support/turns.ts';

const generous = {
  RATE_LIMIT_BY_USER: '60:1000000',
  RATE_LIMIT_BY_ADDRESS: '60:1000000',
  EVENTS_RATE_LIMIT: '60:1000000',
  LOG_LEVEL: 'warn',
};
const waits = { timeout: 120_000, interval: 50 };

/**
 * Sentinels have one master that can die; of a cluster, more than one does. By day one of the two kinds is tried, and
 * the other when it is its turn again.
 */
const kinds = [
  ['sentinel', 1],
  ['cluster', 2],
] as const;

/** Somebody types, and somebody else hears of it: what is not kept anywhere is carried again. */
async function hearTyping(baseUrl: string, typist: Member, reader: Member): Promise<void> {
  let registered: Answer | undefined;
  // A busy node refuses to register somebody now and then, as it refuses anything.
  const register = async () => {
    const wanted = { event_types: '["typing"]' };
    registered = await call(baseUrl, reader.authorization, 'POST', '/register', wanted);
    return registered;
  };
  await expect.poll(register, waits).toMatchObject({ status: 200 });
  const queue_id = String(registered?.body['queue_id']);
  const typeAndListen = async () => {
    const typed = { op: 'start', to: JSON.stringify([reader.id]) };
    await call(baseUrl, typist.authorization, 'POST', '/typing', typed);
    const poll = { queue_id, last_event_id: '-1', dont_block: 'true' };
    return await call(baseUrl, reader.authorization, 'GET', '/events', poll);
  };
  await expect.poll(typeAndListen, waits).toHaveProperty('body.events.0');
  await call(baseUrl, reader.authorization, 'DELETE', '/events', { queue_id });
}

test.each(kinds.filter((_, index) => isNight || index === Math.floor(seed / turns.length) % 2))(
  'nobody misses anything when a master of a %s dies',
  { timeout: 400_000 },
  async (kind, deaths) => {
    const dir = await mkdtemp(join(tmpdir(), 'parley-redis-'));
    await chmod(dir, 0o755);
    const [stop, stopSending] = [new AbortController(), new AbortController()];
    for (const { signal } of [stop, stopSending]) setMaxListeners(1000, signal);
    try {
      let realm: ChaosRealm | undefined;
      await using cluster = await startCluster({
        dir,
        api: 1,
        queue: 2,
        worker: 1,
        redis: kind,
        env: generous,
        say: () => {},
        async prepare(servers) {
          await migrate(servers.databaseUrl);
          realm = await createChaosRealm(servers, { members: 14 });
        },
      });
      if (!realm) throw new Error('The realm was not created.');
      const { realmId } = realm;
      // What these two hear is in no log, so nobody compares it.
      const [typist, reader, ...members] = realm.members;
      if (!typist || !reader) throw new Error('The realm has no members.');
      const { baseUrl } = cluster;
      using starts = await openQueueStarts(cluster.redis.url, cluster.secret);
      const listening: Promise<void>[] = [];
      const listeners = await Promise.all(
        members.flatMap((member) => [0, 1, 2].map((kind) => startListener(baseUrl, member, kind, starts))),
      );
      for (const listener of listeners) listening.push(listener.listen(stop.signal));

      const sends: AttemptedSend[] = [];
      const sending = sendSteadily(baseUrl, realm, 20, stopSending.signal, (send) => sends.push(send));
      const scheduling = scheduleSteadily(baseUrl, realm, {
        perSecond: 2,
        prefix: 'scheduled',
        signal: stopSending.signal,
      });
      const someSends = async () => {
        const enough = sends.length + 40;
        await vi.waitUntil(() => sends.length >= enough, waits);
      };
      await someSends();
      await hearTyping(baseUrl, typist, reader);
      for (let death = 0; death < deaths; death += 1) {
        const late = await Promise.all(members.map((member) => startListener(baseUrl, member, 0, starts)));
        const failingOver = cluster.redis.failOver?.();
        listeners.push(...late);
        for (const listener of late) listening.push(listener.listen(stop.signal));
        await failingOver;
        await someSends();
        await hearTyping(baseUrl, typist, reader);
      }
      stopSending.abort();
      await sending;
      const scheduled = await scheduling;

      const queues = listeners.map(({ queue }) => queue);
      const url = cluster.postgres.url;
      const countWaiting = async () => (await readSchedule(url, 'scheduled ')).waiting.size;
      await vi
        .waitUntil(async () => (await countWaiting()) === 0, waits)
        .catch(async () => {
          const logs = cluster.nodes.filter(({ role }) => role === 'worker').map(({ log }) => tail(log, 60));
          throw new Error(`${await countWaiting()} messages wait. ${(await Promise.all(logs)).join('\n')}`);
        });
      await vi.waitUntil(
        async () => check(queues, sends, await readRecordedLog(url, realmId)).lost === 0,
        waits,
      );
      const zeros = { lost: 0, repeated: 0, reordered: 0, leaked: 0, writesLost: 0, writesRepeated: 0 };
      expect(check(queues, sends, await readRecordedLog(url, realmId))).toMatchObject(zeros);
      expect(sends.filter(({ messageId }) => messageId === null)).toEqual([]);
      expect(listeners.filter(({ reRegistered }) => reRegistered > 0)).toEqual([]);
      const { sent, waiting } = await readSchedule(url, 'scheduled ');
      expect(checkSchedule(scheduled, sent, waiting)).toMatchObject({
        scheduledLost: 0,
        scheduledRepeated: 0,
      });

      const redis = connectRedis({
        url: cluster.redis.url,
        name: 'test',
        logger: createLogger({ role: 'test', level: 'silent' }),
      });
      await redisReady(redis, 10_000);
      const found = new Set<string>();
      for await (const page of listQueues(redis, createSigner([cluster.secret])))
        for (const { record } of page) found.add(record.id);
      const carried = await redis.xlen(keys.log(partitionOf(realmId, 16)));
      redis.disconnect();
      expect(found.size, 'queues that are found again').toBe(listeners.length);
      expect(carried, 'entries that the stream carries').toBeGreaterThan(40);
      stop.abort();
      await Promise.all(listening);
    } finally {
      // Whatever went wrong, nobody goes on asking servers that are gone: the next tests are run in this process.
      stopSending.abort();
      stop.abort();
      await rm(dir, { recursive: true, force: true });
    }
  },
);
