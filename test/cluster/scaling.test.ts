import type { DemoUser } from '@parley/infra';
import { pause } from '@parley/kit';
import { keys } from '@parley/redis';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';

import type { DemoCluster } from '../support/demo-cluster.ts';
import { isNight } from '../support/seed.ts';
import { zulip } from '../support/zulip-js.ts';
import { startDemo } from './demo.ts';

let demos: DemoCluster;
beforeAll(async () => {
  demos = await startDemo();
});
afterAll(() => demos[Symbol.asyncDispose]());

const clientOf = ({ email, api_key }: DemoUser) =>
  zulip({ username: email, apiKey: api_key, realm: demos.cluster.baseUrl });

/** A client that listens as bots do, and takes every answer that is not a success for an error. */
async function startListener(user: DemoUser) {
  const client = await clientOf(user);
  const { queue_id, last_event_id } = await client.queues.register({ event_types: ['message'] });
  const heard: string[] = [];
  const errors: unknown[] = [];
  const stopped = new AbortController();
  onTestFinished(() => stopped.abort());
  void (async () => {
    let cursor = last_event_id;
    while (!stopped.signal.aborted) {
      const reply = await client.events
        .retrieve({ queue_id, last_event_id: cursor })
        .catch((error: unknown) => {
          return { result: String(error), events: [] };
        });
      if (reply.result !== 'success') errors.push(reply);
      for (const event of reply.events ?? []) {
        cursor = Math.max(cursor, event.id);
        if (event.type === 'message') heard.push(event.message.content);
      }
    }
  })();
  return { queueId: queue_id, heard, errors };
}

test('nodes come and go, and clients neither lose a message nor meet an error', async () => {
  const { cluster } = demos;
  const names = ['Alice Member', 'Bob Member', 'Mona Moderator', 'Olivia Owner'];
  const users = names.map((name) => demos.demo(name));
  const listeners = await Promise.all((isNight ? [...users, ...users, ...users] : users).map(startListener));
  const sent: string[] = [];
  const sendErrors: unknown[] = [];
  const stopSending = new AbortController();
  onTestFinished(() => stopSending.abort());
  const sending = Promise.all(
    users.map(async (user, index) => {
      const client = await clientOf(user);
      for (let number = 0; !stopSending.signal.aborted; number += 1) {
        const content = `${index} ${number}`;
        const reply = await client.messages
          .send({ type: 'stream', to: 'general', topic: 'scaling', content })
          .catch((error: unknown) => ({ result: String(error) }));
        if (reply.result === 'success') sent.push(content);
        else sendErrors.push(reply);
        // As people do: as fast as they can, these would leave the nodes no time to come and go.
        await pause(100, stopSending.signal);
      }
    }),
  );

  await cluster.scale({ queue: 5, api: 3 });
  await cluster.scale({ queue: 2, api: 1, worker: 2 });
  await cluster.roll();

  stopSending.abort();
  await sending;
  const last = await clientOf(demos.demo('Alice Member'));
  await last.messages.send({ type: 'stream', to: 'general', topic: 'scaling', content: 'the last' });
  sent.push('the last');
  await vi.waitUntil(() => listeners.every(({ heard }) => heard.includes('the last')), { timeout: 60_000 });
  expect(sendErrors).toEqual([]);
  for (const { heard, errors } of listeners) {
    expect(errors).toEqual([]);
    expect(heard.toSorted()).toEqual(sent.toSorted());
  }
});

test('polls of a small organization wait at few of many queue nodes, and at another when that is killed', async () => {
  const { cluster } = demos;
  await cluster.scale({ queue: 6 });
  const names = ['Alice Member', 'Bob Member', 'Mona Moderator', 'Olivia Owner'];
  const users = names.map((name) => demos.demo(name));
  // Each worker of the proxy would have turns of its own.
  const listeners = await Promise.all(
    Array.from({ length: 12 }, () => users)
      .flat()
      .map(startListener),
  );
  const redis = new Redis(cluster.redis.url);
  onTestFinished(async () => void (await redis.quit()));
  /** The nodes where the polls wait, by the names they call themselves; null for one that waits nowhere. */
  const holders = () => redis.mget(listeners.map(({ queueId }) => keys.queueHolder(queueId)));
  const areFew = async () => {
    const places = await holders();
    return !places.includes(null) && new Set(places).size <= 3;
  };
  const sender = await clientOf(demos.demo('Alice Member'));
  const send = (content: string) =>
    sender.messages.send({ type: 'stream', to: 'general', topic: 'places', content });

  await send('before');
  await vi.waitUntil(() => listeners.every(({ heard }) => heard.includes('before')), { timeout: 60_000 });
  // Those that asked while the proxy was told of new nodes have asked again.
  await vi.waitUntil(areFew, { timeout: 60_000 });
  const before = await holders();
  const killed = cluster.nodes.find(({ pid }) => before[0]?.includes(`:${pid}:`));
  if (!killed) throw new Error('No queue node has a poll.');
  cluster.kill(killed, 'SIGKILL');
  await send('meanwhile');
  await vi.waitUntil(() => listeners.every(({ heard }) => heard.includes('meanwhile')), {
    timeout: 60_000,
  });
  await cluster.whenReady();
  await send('after');
  await vi.waitUntil(() => listeners.every(({ heard }) => heard.includes('after')), { timeout: 60_000 });

  for (const { heard, errors } of listeners) {
    expect(errors).toEqual([]);
    expect(heard).toEqual(['before', 'meanwhile', 'after']);
  }
});
