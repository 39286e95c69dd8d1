import type { JobDeps } from '@parley/worker';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';

import {
  type Json,
  type Person,
  type TestRealm,
  type WebhookService,
  answering,
  answeringMegabytes,
  createWebhookBot,
  payloadOf,
  realm,
  runOnDemand,
  runWebhooks,
  startWebhookService,
  succeed,
  tell,
  webhookClient,
  webhookDeliveriesOf,
} from '../../support/index.ts';
import { isNight } from '../../support/seed.ts';

const webhooks = webhookClient();
afterAll(() => webhooks[Symbol.asyncDispose]());

let service: WebhookService;
/** A place that nobody outside has any business with, and that no configuration names. */
let inside: WebhookService;
beforeEach(async () => {
  service = await startWebhookService();
  inside = await startWebhookService();
});
afterEach(async () => {
  await service[Symbol.asyncDispose]();
  await inside[Symbol.asyncDispose]();
});

/** A clock that stands still until a test sets it forward. */
function startClock() {
  let nowMs = Date.now();
  return {
    clock: { nowMs: () => nowMs },
    pass: (seconds: number) => {
      nowMs += seconds * 1000;
    },
  };
}

async function realmWithBot(): Promise<TestRealm & { bot: Json }> {
  const people = await realm();
  return { ...people, bot: await createWebhookBot(people.alice, service.url) };
}

/** How long a service is ill: by day long enough that it is asked less and less often. */
const minutes = isNight ? 10 : 3;

/** Goes through these minutes, in which Bob and Carol go on writing to the bot, and a worker does its work. */
async function passMinutes({ bob, carol, bot }: { bob: Person; carol: Person; bot: Json }, deps: Deps) {
  const written: string[] = [];
  for (let minute = 0; minute < minutes; minute += 1) {
    for (const person of [bob, carol]) {
      const text = `${person.name} ${minute}`;
      await tell(person, [bot], text);
      written.push(text);
    }
    for (let part = 0; part < 6; part += 1) {
      await runWebhooks(deps);
      deps.pass(10);
    }
  }
  return written;
}

type Deps = Pick<JobDeps, 'clock' | 'webhooks'> & { pass(seconds: number): void };

/** What was taken, in the order of arrival, of one writer. */
const takenFrom = (taken: string[], name: string) => taken.filter((text) => text.startsWith(name));

/** A service that answers like that until it is well, and what it took then. */
function ill(answer: WebhookService['answer']) {
  const taken: string[] = [];
  service.answer = answer;
  return {
    taken,
    heal() {
      service.answer = (request, response) => {
        taken.push(payloadOf(request).data);
        response.end(JSON.stringify({ content: `re: ${payloadOf(request).data}` }));
      };
    },
  };
}

describe('a service that for a while', () => {
  test.each([
    ['answers 503', answering('', 503)],
    ['answers 500', answering('', 500)],
    ['answers 429', answering('', 429, { 'Retry-After': '30' })],
    ['answers with 100 MB', answeringMegabytes(100)],
    ['hangs', () => undefined],
    ['hangs up', (_, response) => response.destroy()],
    ['hangs up half-way', (_, response) => response.writeHead(200).write('{', () => response.destroy())],
    ['redirects to a place inside', (_, response) => response.writeHead(307, { Location: inside.url }).end()],
    [
      'redirects to metadata for ever',
      (_, response) => response.writeHead(308, { Location: 'http://169.254.169.254/latest' }).end(),
    ],
  ] satisfies [string, WebhookService['answer']][])(
    '%s gets everything once it is well, in order',
    async (_, answer) => {
      await expectAll(ill(answer));
    },
  );

  test('is down gets everything once it is up, in order', async () => {
    const illness = ill(answering('', 503));
    illness.heal();
    await service.stop();
    await expectAll(illness);
  });

  async function expectAll(illness: ReturnType<typeof ill>) {
    const people = await realmWithBot();
    const { clock, pass } = startClock();
    await using hasty = webhookClient('127.0.0.1', { connectMs: 50, headMs: 50, wholeMs: 50 });
    const written = await passMinutes(people, { clock, pass, webhooks: hasty });
    expect(illness.taken).toEqual([]);
    // There are two writers: it is asked again and again, and not flooded.
    expect(service.requests.length).toBeLessThan(60);
    // What nobody waits for any more, and has not reached the service, does not reach it once it is well.
    await service.stop();
    illness.heal();
    await service.start();
    pass(60);
    await runWebhooks({ clock, webhooks });
    for (const name of ['Bob', 'Carol']) {
      expect(takenFrom(illness.taken, name)).toEqual(takenFrom(written, name));
    }
    expect(illness.taken).toHaveLength(written.length);
    expect(inside.requests).toEqual([]);
    const { messages } = await people.bob.get('/messages', {
      anchor: 'newest',
      num_before: 100,
      num_after: 0,
      apply_markdown: false,
      narrow: [{ operator: 'sender', operand: people.bot.id }],
    });
    expect(messages.map(({ content }: Json) => content)).toEqual(
      takenFrom(written, 'Bob').map((text) => `re: ${text}`),
    );
  }
});

test('a service that hangs holds up its own conversation, and nobody else', async () => {
  const { alice, bob, carol, bot } = await realmWithBot();
  await using hanging = await startWebhookService();
  hanging.answer = () => undefined;
  const address = { service_payload_url: JSON.stringify(hanging.url) };
  const other = await createWebhookBot(alice, service.url, { full_name: 'Other' });
  await succeed(alice.patch(`/bots/${bot.id}`, address));
  await tell(bob, [bot], 'hangs');
  await tell(bob, [bot], 'waits behind it');
  await tell(carol, [other], 'goes through');
  await using hasty = webhookClient('127.0.0.1', { connectMs: 3000, headMs: 500, wholeMs: 500 });
  await runWebhooks({ webhooks: hasty });
  expect(hanging.requests.map((request) => payloadOf(request).data)).toEqual(['hangs']);
  service.requests.splice(0);
  await runWebhooks({ webhooks });
  await tell(carol, [other], 'again');
  await runWebhooks({ webhooks });
  expect(service.requests.map((request) => payloadOf(request).data)).toContain('again');
});

test('nothing is asked before the time that a service has named, and everything after it', async () => {
  const { bob, carol, bot } = await realmWithBot();
  const { clock, pass } = startClock();
  service.answer = answering('', 429, { 'Retry-After': '600' });
  await tell(bob, [bot], 'one');
  await runWebhooks({ clock, webhooks });
  service.answer = answering('""');
  await tell(carol, [bot], 'two');
  pass(590);
  await runWebhooks({ clock, webhooks });
  expect(service.requests).toHaveLength(1);
  pass(11);
  await runWebhooks({ clock, webhooks });
  expect(service.requests.map((request) => payloadOf(request).data)).toEqual(['one', 'one', 'two']);
});

test('a service that fails again and again is asked by one request at a time', async () => {
  const { owner, admin, moderator, alice, bob, carol, guest, bot } = await realmWithBot();
  const { clock, pass } = startClock();
  const everyone = [owner, admin, moderator, alice, bob, carol, guest];
  service.answer = answering('', 500);
  for (const person of everyone) await tell(person, [bot]);
  await runWebhooks({ clock, webhooks });
  pass(61);
  await runWebhooks({ clock, webhooks });
  const first = service.requests.length;
  expect(first).toBe(5);
  for (let turn = 1; turn <= 3; turn += 1) {
    pass(61);
    await runWebhooks({ clock, webhooks });
    expect(service.requests.length - first).toBe(turn);
  }
  service.answer = answering('""');
  pass(61);
  await runWebhooks({ clock, webhooks });
  expect(new Set(service.requests.map((request) => payloadOf(request).message.sender_id)).size).toBe(7);
});

test('replies of 100 MB, many at once, take no memory', async () => {
  const { owner, admin, moderator, alice, bob, carol, guest, bot } = await realmWithBot();
  const { clock, pass } = startClock();
  service.answer = answeringMegabytes(100);
  for (const person of [owner, admin, moderator, alice, bob, carol, guest]) await tell(person, [bot]);
  const before = process.memoryUsage();
  let most = 0;
  for (let turn = 0; turn < 8; turn += 1) {
    await runWebhooks({ clock, webhooks });
    most = Math.max(most, process.memoryUsage().arrayBuffers - before.arrayBuffers);
    pass(61);
  }
  expect(service.requests.length).toBeGreaterThan(8);
  expect(most).toBeLessThan(32 * 1024 * 1024);
});

test('the owner of a bot is told once that its service takes nothing, and nobody else', async () => {
  const { alice, bob, bot } = await realmWithBot();
  const { clock, pass } = startClock();
  service.answer = answering('', 502);
  await tell(bob, [bot]);
  const [desk, phone] = [await alice.listen(), await bob.listen()];
  for (let turn = 0; turn < 20; turn += 1) {
    await runWebhooks({ clock, webhooks });
    pass(61);
  }
  expect(await desk.hears()).toMatchObject([
    { message: { sender_full_name: 'Notification Bot', content: expect.stringMatching(/status 502/) } },
  ]);
  expect(await phone.hears()).toEqual([]);
});

test('a later message waits for an earlier one of its conversation, whichever job comes first', async () => {
  const { bob, carol, bot } = await realmWithBot();
  service.answer = answering('', 503);
  await tell(bob, [bot], 'one');
  await runWebhooks({ webhooks });
  service.answer = answering('""');
  const [second = 0] = await webhookDeliveriesOf(bob, await tell(bob, [bot], 'two'));
  const [other = 0] = await webhookDeliveriesOf(carol, await tell(carol, [bot], 'of another conversation'));
  expect(await runOnDemand('deliver-webhook', second, { webhooks }, bob.realm.id)).toEqual({
    outcome: 'not due',
  });
  expect(await runOnDemand('deliver-webhook', other, { webhooks }, bob.realm.id)).toMatchObject({
    outcome: 'taken',
  });
});

test('nothing else is asked of a service because it has failed', async () => {
  const { bob, carol, bot } = await realmWithBot();
  service.answer = answering('', 503);
  const [id = 0] = await webhookDeliveriesOf(bob, await tell(bob, [bot]));
  await tell(carol, [bot]);
  const asked: number[] = [];
  const queues: JobDeps['queues'] = { enqueue: (job) => asked.push(job.id) };
  expect(await runOnDemand('deliver-webhook', id, { webhooks, queues }, bob.realm.id)).toMatchObject({
    outcome: 'later',
  });
  expect(asked).toEqual([id]);
});
