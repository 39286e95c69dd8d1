import { connect } from 'node:net';

import type { Cluster, DemoUser } from '@parley/infra';
import { keys } from '@parley/redis';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';

import type { DemoCluster } from '../support/demo-cluster.ts';
import type { Json } from '../support/http.ts';
import { zulip } from '../support/zulip-js.ts';
import { startDemo } from './demo.ts';

/** This says that nothing happens, and nothing about speed. */
const long = { timeout: 60_000 };

let demos: DemoCluster;
let cluster: Cluster;
const demo = (name: string) => demos.demo(name);

beforeAll(async () => {
  demos = await startDemo();
  ({ cluster } = demos);
});

afterAll(() => demos[Symbol.asyncDispose]());

const withKey = ({ email, api_key }: DemoUser, realm: string = cluster.baseUrl) =>
  zulip({ username: email, apiKey: api_key, realm });
const withPassword = ({ email, password }: DemoUser) =>
  zulip({ username: email, password, realm: cluster.baseUrl });

const toGeneral = (content: string) => ({ type: 'stream', to: 'general', topic: 'clients', content });

const nodes = (role: string) => cluster.nodes.filter((node) => node.role === role);

/** What a node answers to a poll, straight from the node. */
async function pollNode(
  url: string,
  { email, api_key }: DemoUser,
  query: Record<string, string>,
): Promise<Json> {
  const authorization = `Basic ${Buffer.from(`${email}:${api_key}`).toString('base64')}`;
  const reply = await fetch(`${url}/api/v1/events?${new URLSearchParams(query).toString()}`, {
    headers: { authorization },
  });
  return await reply.json();
}

async function toRedis(url: string) {
  const redis = new Redis(url, { lazyConnect: true });
  await redis.connect();
  return {
    holdersOf: (queueIds: string[]) => redis.mget(queueIds.map(keys.queueHolder)),
    async [Symbol.asyncDispose]() {
      await redis.quit();
    },
  };
}

test('two users send and receive, each on nodes of their own', async () => {
  const [first, second] = nodes('api');
  const [alice, bob] = [
    await withKey(demo('Alice Member'), first?.url),
    await withPassword(demo('Bob Member')),
  ];
  const registered = await bob.queues.register({ event_types: ['message'] });
  expect(registered).toMatchObject({ result: 'success', zulip_feature_level: 421, svc_feature_level: 421 });
  const { queue_id, last_event_id } = registered;

  const waiting = bob.events.retrieve({ queue_id, last_event_id });
  const sent = await alice.messages.send(toGeneral('hello'));
  expect(sent).toMatchObject({ result: 'success', id: expect.any(Number) });
  expect(await waiting).toMatchObject({
    result: 'success',
    queue_id,
    events: [{ type: 'message', message: { id: sent.id, content: 'hello', subject: 'clients' } }],
  });

  const again = await withKey(demo('Alice Member'), second?.url);
  await again.messages.send({ type: 'direct', to: [demo('Bob Member').user_id], content: 'by id' });
  await again.messages.send({ type: 'private', to: demo('Bob Member').email, content: 'by address' });
  const polled = nodes('queue').map(({ url }) =>
    pollNode(url, demo('Bob Member'), { queue_id, last_event_id: String(last_event_id), dont_block: 'true' }),
  );
  const [here, there] = await Promise.all(polled);
  expect(here.events.map(({ message }: { message: { content: string } }) => message.content)).toEqual([
    'hello',
    'by id',
    'by address',
  ]);
  expect(there, 'the same question has the same answer on every node').toEqual(here);
  expect(await bob.queues.deregister({ queue_id })).toMatchObject({ result: 'success' });
  expect(await bob.events.retrieve({ queue_id, last_event_id })).toMatchObject({
    code: 'BAD_EVENT_QUEUE_ID',
  });
});

test('the client’s other calls are answered as it expects', async () => {
  const carol = await withKey(demo('Carol Member'));
  expect(await carol.users.me.getProfile()).toMatchObject({
    email: demo('Carol Member').email,
    is_bot: false,
  });
  expect(
    await carol.users.me.subscriptions.add({ subscriptions: JSON.stringify([{ name: 'made by a client' }]) }),
  ).toMatchObject({ subscribed: { [demo('Carol Member').user_id]: ['made by a client'] } });
  const { streams } = await carol.streams.retrieve();
  const { subscriptions } = await carol.streams.subscriptions.retrieve();
  for (const listed of [streams, subscriptions]) {
    expect(listed).toContainEqual(expect.objectContaining({ name: 'made by a client' }));
  }
  await carol.messages.send({ type: 'stream', to: 'made by a client', topic: 'one', content: 'kept' });
  expect(
    await carol.messages.retrieve({ anchor: 'newest', num_before: 1, num_after: 0, apply_markdown: false }),
  ).toMatchObject({ found_newest: true, messages: [{ content: 'kept' }] });
});

test('a question may be as long as 5 000 messages, and what is no question at all is refused as JSON', async () => {
  const carol = await withKey(demo('Carol Member'));
  const message_ids = JSON.stringify(Array.from({ length: 5000 }, (_, index) => 2_000_000_000 + index));
  expect(await carol.messages.retrieve({ message_ids })).toMatchObject({ result: 'success', messages: [] });
  for (const { port } of [...nodes('api'), ...nodes('queue')]) {
    for (const nonsense of ['nonsense\r\n\r\n', `GET /${'x'.repeat(200_000)} HTTP/1.1\r\n\r\n`]) {
      const [, body] = (await sendRaw(port, nonsense)).split('\r\n\r\n');
      expect(JSON.parse(body ?? '')).toMatchObject({ result: 'error', code: 'BAD_REQUEST' });
    }
  }
});

/** Bytes to a port, and all that comes back. */
async function sendRaw(port: number, bytes: string): Promise<string> {
  const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
  let text = '';
  for await (const chunk of socket) text += String(chunk);
  return text;
}

test('a poll outlives the node that it waits at, and the client hears the next message on it', async () => {
  const [alice, bob] = [await withKey(demo('Alice Member')), await withKey(demo('Bob Member'))];
  await using redis = await toRedis(cluster.redis.url);
  const parked: { queueId: string; heard: Promise<Json> }[] = [];
  /** The nodes where the polls wait, by the names they call themselves. */
  const holders = () => redis.holdersOf(parked.map(({ queueId }) => queueId));

  for (let count = 0; count < 4; count += 1) {
    const { queue_id, last_event_id } = await bob.queues.register({ event_types: ['message'] });
    parked.push({ queueId: queue_id, heard: bob.events.retrieve({ queue_id, last_event_id }) });
  }
  await vi.waitUntil(async () => !(await holders()).includes(null), long);
  // The proxy decides who gets a poll.
  const before = await holders();
  const first = nodes('queue').find(({ pid }) => before[0]?.includes(`:${pid}:`));
  if (!first) throw new Error('No queue node has the poll.');
  cluster.kill(first, 'SIGKILL');
  await vi.waitUntil(async () => (await holders())[0] !== before[0], long);

  await alice.messages.send(toGeneral('still there?'));
  for (const { heard } of parked) {
    expect(await heard).toMatchObject({
      result: 'success',
      events: [{ type: 'message', message: { content: 'still there?' } }],
    });
  }
  await cluster.whenReady();
});

test('its event loop hears every message once, in order', async () => {
  const [mona, gus] = [await withKey(demo('Mona Moderator')), await withKey(demo('Gus Guest'))];
  const heard: string[] = [];
  // The loop has no end of its own: it goes on, unheard, until the cluster stops.
  void gus.callOnEachEvent(
    (event) => {
      if (event.type === 'message') heard.push(event.message.content);
    },
    ['message'],
  );
  // When it has registered cannot be seen from outside: what is sent before is not for it.
  const interval = { interval: 200, timeout: 60_000 };
  await vi.waitFor(async () => {
    await mona.messages.send(toGeneral('anyone?'));
    expect(heard).toContain('anyone?');
  }, interval);
  for (const content of ['one', 'two', 'three']) await mona.messages.send(toGeneral(content));
  await vi.waitFor(() => expect(heard).toContain('three'), interval);
  expect(heard.filter((content) => content !== 'anyone?')).toEqual(['one', 'two', 'three']);
});
