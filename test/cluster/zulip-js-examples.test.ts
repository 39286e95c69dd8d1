import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

import { connectSql } from '@parley/db';
import type { Cluster, DemoUser } from '@parley/infra';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';

import type { DemoCluster } from '../support/demo-cluster.ts';
import type { Json } from '../support/http.ts';
import { zulip } from '../support/zulip-js.ts';
import { startDemo } from './demo.ts';

const run = promisify(execFile);
/** The programs that come with the library, as they are. */
const examples = join(dirname(createRequire(import.meta.url).resolve('zulip-js/package.json')), 'examples');

let demos: DemoCluster;
let cluster: Cluster;
let owner: DemoUser;
const demo = (name: string) => demos.demo(name);

beforeAll(async () => {
  demos = await startDemo();
  ({ cluster } = demos);
  owner = demo('Olivia Owner');
  const client = await zulip({ username: owner.email, apiKey: owner.api_key, realm: cluster.baseUrl });
  const names = ['test-bot', 'bot testing', 'Verona'].map((name) => ({ name }));
  await must(() => client.users.me.subscriptions.add({ subscriptions: JSON.stringify(names) }));
  // They speak of messages 1 and 2, which organizations have that are older than the room for history.
  const sql = connectSql({ url: cluster.postgres.url, name: 'test', max: 1 });
  await sql`update realm_heads set message_id = 0`;
  await sql.end({ timeout: 5 });
  for (const content of ['one', 'two']) {
    await must(() => client.messages.send({ type: 'stream', to: 'test-bot', topic: 'examples', content }));
  }
});

afterAll(() => demos[Symbol.asyncDispose]());

/** The library hands errors over as it does replies. Whom a busy server tells to come again comes again. */
async function must(ask: () => Promise<unknown>): Promise<Json> {
  let reply: Json = {};
  const isDone = async () => {
    reply = (await ask()) as Json;
    return reply['code'] !== 'SERVER_NOT_READY';
  };
  await vi.waitUntil(isDone, { timeout: 60_000, interval: 1000 });
  expect(reply).toMatchObject({ result: 'success' });
  return reply;
}

/** Runs an example as its own program; answers with what it printed. */
async function runExample(
  name: string,
  env: Record<string, string> = {},
  args: string[] = [],
): Promise<string> {
  const { stdout } = await run(process.execPath, [join(examples, name), ...args], {
    timeout: 60_000,
    env: {
      ...process.env,
      ZULIP_USERNAME: owner.email,
      ZULIP_API_KEY: owner.api_key,
      ZULIP_PASSWORD: owner.password,
      ZULIP_REALM: cluster.baseUrl,
      ZULIP_TEST_USERNAME: demo('Alice Member').email,
      ...env,
    },
  });
  return stdout;
}

const count = (printed: string, result: string) => printed.split(`result: '${result}'`).length - 1;

test.each([
  ['accounts.js', { successes: 1 }],
  ['call_endpoint.js', { successes: 1 }],
  ['emojis.js', { successes: 1 }],
  ['queues.js', { successes: 1, errors: 1, because: 'it ends a queue of somebody else’s' }],
  ['reactions.js', { successes: 0, errors: 2, because: 'its emoji has another name in the protocol' }],
  ['server.js', { successes: 1 }],
  ['streams.js', { successes: 2, errors: 1, because: 'no channel has its number' }],
  ['subscriptions.js', { successes: 1 }],
  // The last read message has not been a thing of its own for years: what it asks about that is refused.
  [
    'private-messages.js',
    { successes: 1, errors: 2, because: 'it looks from a message that it has not waited for, and a pointer' },
  ],
  ['users.js', { successes: 4, errors: 3, because: 'it may not create users, and asks for pointers' }],
  ['messages.js', { successes: 9, errors: 2, because: 'it names no emoji, and looks from a pointer' }],
] as const)('%s runs as it is', async (name, expected: { successes: number; errors?: number }) => {
  const printed = await runExample(name);
  expect(count(printed, 'success'), printed).toBe(expected.successes);
  expect(count(printed, 'error'), printed).toBe(expected.errors ?? 0);
});

test('events.js waits for what comes', async () => {
  const client = await zulip({ username: owner.email, apiKey: owner.api_key, realm: cluster.baseUrl });
  const { queue_id } = await must(() => client.queues.register({ event_types: ['message'] }));
  const printed = runExample('events.js', { ZULIP_QUEUE_ID: queue_id });
  await must(() =>
    client.messages.send({ type: 'stream', to: 'test-bot', topic: 'examples', content: 'heard' }),
  );
  expect(await printed).toContain("type: 'message'");
});

test('typing is heard by the one who is written to', async () => {
  const [alice, bob] = [demo('Alice Member'), demo('Bob Member')];
  const args = [cluster.baseUrl, alice.email, alice.api_key, bob.email, bob.api_key];
  const printed = await runExample('typing-notifications/send-and-recieve.js', {}, args);
  expect(printed).toMatch(/type: 'typing'/);
});
