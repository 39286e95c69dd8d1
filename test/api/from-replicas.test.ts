import { endpoints } from '@parley/api';
import { expect, test, vi } from 'vitest';

import { type Json, getWorld, realm, scrape, subscribe, succeed } from '../support/index.ts';

const patient = { timeout: 60_000, interval: 20 };
const newest = { anchor: 'newest', num_before: 5, num_after: 0 };

/** What is asked of each endpoint that a replica may answer. */
const requests: Record<
  string,
  (ids: { message: number; channel: number; user: number }) => [string, object]
> = {
  'GET /messages': () => ['/messages', newest],
  'GET /messages/:message_id': ({ message }) => [`/messages/${message}`, {}],
  'GET /messages/:message_id/history': ({ message }) => [`/messages/${message}/history`, {}],
  'GET /messages/:message_id/read_receipts': ({ message }) => [`/messages/${message}/read_receipts`, {}],
  'GET /messages/matches_narrow': ({ message }) => [
    '/messages/matches_narrow',
    { msg_ids: [message], narrow: [{ operator: 'has', operand: 'link' }] },
  ],
  'POST /register': () => ['/register', { fetch_event_types: ['realm_user', 'message'] }],
  'GET /users': () => ['/users', {}],
  'GET /users/:user_id/channels': ({ user }) => [`/users/${user}/channels`, {}],
  'GET /users/me/subscriptions': () => ['/users/me/subscriptions', {}],
  'GET /users/me/:stream_id/topics': ({ channel }) => [`/users/me/${channel}/topics`, {}],
  'GET /streams': () => ['/streams', {}],
  'GET /streams/:stream_id/members': ({ channel }) => [`/streams/${channel}/members`, {}],
  'GET /user_groups': () => ['/user_groups', {}],
};

const flagged = endpoints.flatMap((one) =>
  one.kind === 'json' && one.fromReplicas ? [`${one.method} ${one.path}`] : [],
);

/** An api node to which the primary is its own replica, and which has met it. */
async function startWithReplica() {
  const { startApi, nodeUrl } = await getWorld();
  const node = await startApi({ replicaUrls: [nodeUrl] });
  await vi.waitFor(async () => expect((await scrape()).of('parley_replicas_available')).toBe(1), patient);
  return node;
}

/** Reads so far, by what became of them. */
async function countReads() {
  const { served = 0, ...others } = (await scrape()).by('parley_replica_reads_total', 'outcome');
  return { served, others };
}

/** Without what is another each time. */
function lasting(body: Json): object {
  const { queue_id: _, event_queue_longpoll_timeout_seconds: __, ...rest } = body;
  return rest;
}

test('each endpoint that a replica may answer is answered by one, as by the primary', async () => {
  const { alice, owner } = await realm();
  await succeed(owner.patch('/realm', { enable_read_receipts: true }));
  await subscribe(alice, 'town', [alice]);
  const { stream_id: channel } = await succeed(alice.get('/get_stream_id', { stream: 'town' }));
  const { id: message } = await succeed(
    alice.post('/messages', { type: 'channel', to: 'town', topic: 't', content: 'https://a.example' }),
  );
  await using node = await startWithReplica();
  expect(Object.keys(requests).sort()).toEqual([...flagged].sort());
  for (const [name, requestOf] of Object.entries(requests)) {
    const [method = ''] = name.split(' ');
    const [path, params] = requestOf({ message, channel, user: alice.id });
    const before = await countReads();
    const reply = await alice.ask(method, path, { ...params }, { port: node.port });
    expect(reply.body.result, `${name}: ${reply.body.msg}`).toBe('success');
    const after = await countReads();
    expect(after.served, name).toBeGreaterThan(before.served);
    expect(after.others, name).toEqual(before.others);
    const usual = await alice.ask(method, path, { ...params });
    expect(lasting(reply.body), name).toEqual(lasting(usual.body));
  }
});

test('no other endpoint asks a replica', async () => {
  const { alice } = await realm();
  await using node = await startWithReplica();
  const before = await countReads();
  for (const path of ['/users/me', '/drafts', '/attachments', '/server_settings', '/bot_storage'])
    await alice.ask('GET', path, {}, { port: node.port });
  await alice.ask('POST', '/messages', { type: 'direct', to: [alice.id], content: 'x' }, { port: node.port });
  expect(await countReads()).toEqual(before);
});
