import type { ServerResponse } from 'node:http';

import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';

import {
  type Json,
  type Person,
  type WebhookService,
  answering,
  createChannel,
  createWebhookBot,
  permit,
  realm,
  runOnDemand,
  runWebhooks,
  say,
  startWebhookService,
  succeed,
  tell,
  webhookClient,
  webhookDeliveriesOf,
} from '../../support/index.ts';

let service: WebhookService;
const webhooks = webhookClient();
beforeAll(async () => {
  service = await startWebhookService();
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  await webhooks[Symbol.asyncDispose]();
});

async function realmWithBot(more: object = {}) {
  const people = await realm();
  return { ...people, bot: await createWebhookBot(people.alice, service.url, more) };
}

/** The newest messages that somebody may read, as senders and texts. */
async function latest(reader: Person, num = 5): Promise<string[]> {
  const { messages } = await succeed(
    reader.get('/messages', { anchor: 'newest', num_before: num, num_after: 0, apply_markdown: false }),
  );
  return messages.map(({ sender_full_name, content }: Json) => `${sender_full_name}: ${content}`);
}

/** What the bot says to a direct message when its service answers like that; null if nothing. */
async function saidTo({ bot, bob }: { bot: Json; bob: Person }, body: string, status = 200) {
  service.answer = answering(body, status);
  const id = await tell(bob, [bot], 'x');
  await runWebhooks({ webhooks });
  const { messages } = await bob.get('/messages', {
    anchor: id,
    num_before: 0,
    num_after: 5,
    apply_markdown: false,
  });
  const said = messages.filter((message: Json) => message.id > id && message.sender_id === bot.id);
  return said.length === 0 ? null : said.map(({ content }: Json) => content).join(' / ');
}

describe('a bot says what its service answers', () => {
  test('a bot answers where it was asked: to all of a direct conversation, and in the topic, also one that was moved', async () => {
    const { alice, bob, owner, bot } = await realmWithBot();
    await createChannel(alice, 'news', [alice, bob, owner]);
    service.answer = answering('{"content": "at your service, @**Bob**"}');
    const phone = await bob.listen({ event_types: ['message'] });
    await tell(alice, [bot, bob], 'x');
    await runWebhooks({ webhooks });
    expect(await phone.hears()).toMatchObject([
      { message: { content: 'x' } },
      {
        message: { content: 'at your service, @**Bob**', sender_id: bot.id, type: 'private' },
        flags: ['mentioned'],
      },
    ]);
    const id = await say(bob, 'news', 't', '@**Helper**');
    await succeed(owner.patch(`/messages/${id}`, { topic: 'other' }));
    await phone.hears();
    await runWebhooks({ webhooks });
    expect(await phone.hears()).toMatchObject([
      { message: { content: 'at your service, @**Bob**', subject: 'other', sender_full_name: 'Helper' } },
    ]);
  });

  test.each([
    ['answers', 200],
    ['fails', 400],
  ])('a guest who may not know the bot does not learn who it is when its service %s', async (_, status) => {
    const people = await realmWithBot();
    const { alice, bob, guest, bot } = people;
    await createChannel(alice, 'news', [alice, bob, guest]);
    await permit(people, 'can_access_all_users_group', 'role:members');
    service.answer = answering('{"content": "here I am"}', status);
    const phones = [await bob.listen(), await guest.listen()];
    await say(bob, 'news', 't', `@**Helper|${bot.id}** hello`);
    await runWebhooks({ webhooks });
    const senders = await Promise.all(
      phones.map(async (phone) =>
        (await phone.hears())
          .filter(({ type, message }) => type === 'message' && message.sender_id === bot.id)
          .map(({ message }) => message.sender_full_name),
      ),
    );
    expect(senders).toEqual([['Helper'], ['Unknown user']]);
  });

  test('a bot answers also where it may not write', async () => {
    const { alice, bob, owner, bot } = await realmWithBot();
    const channel = await createChannel(owner, 'news', [owner, alice, bob]);
    await say(bob, 'news', 't', '@**Helper**');
    await succeed(
      owner.patch(`/streams/${channel}`, {
        can_send_message_group: { new: { direct_members: [bob.id], direct_subgroups: [] } },
      }),
    );
    service.answer = answering('{"content": "here I am"}');
    await runWebhooks({ webhooks });
    expect(await latest(bob, 1)).toEqual(['Helper: here I am']);
    expect(bot.id).toBeGreaterThan(0);
  });

  test('a bot does not answer in a channel that was archived meanwhile', async () => {
    const { alice, bob } = await realmWithBot();
    const channel = await createChannel(alice, 'news', [alice, bob]);
    await say(bob, 'news', 't', '@**Helper**');
    await succeed(alice.delete(`/streams/${channel}`));
    service.answer = answering('{"content": "too late"}');
    await runWebhooks({ webhooks });
    expect(await latest(alice)).not.toContain('Helper: too late');
  });

  test.each([
    ['{"content": "yes"}', 'yes'],
    ['{"response_string": "as before"}', 'as before'],
    ['{"content": 42}', '42'],
    ['{"content": "yes", "response_not_required": false, "more": 1}', 'yes'],
    ['{"content": "yes", "response_not_required": true}', null],
    ['{"content": "  \\n"}', null],
    ['{"content": null}', null],
    ['{}', null],
    ['""', null],
    ['', null],
  ])('%j', async (body, said) => {
    expect(await saidTo(await realmWithBot(), body)).toBe(said);
  });

  test('a bot answers with a widget', async () => {
    const { bob, bot } = await realmWithBot();
    const widget = { widget_type: 'zform', extra_data: { type: 'choices', heading: 'h', choices: [] } };
    await saidTo({ bob, bot }, JSON.stringify({ content: 'choose', widget_content: JSON.stringify(widget) }));
    const { messages } = await bob.get('/messages', { anchor: 'newest', num_before: 1, num_after: 0 });
    expect(messages[0].submessages).toMatchObject([{ msg_type: 'widget', sender_id: bot.id }]);
  });

  test('a bot answers in the format of Slack: the text alone, and in channels only', async () => {
    const { alice, bob, bot } = await realmWithBot({ interface_type: 2 });
    await createChannel(alice, 'news', [alice, bob]);
    service.answer = answering('{"text": "hello", "content": "nothing"}');
    await say(bob, 'news', 't', '@**Helper**');
    await runWebhooks({ webhooks });
    expect(await latest(bob, 1)).toEqual(['Helper: hello']);
    const asked = service.requests.length;
    expect(await saidTo({ bob, bot }, '{"text": "hello"}')).toMatch(/only answer in channels/);
    expect(service.requests).toHaveLength(asked);
  });
});

describe('what is no reply', () => {
  test.each([
    ['that is not JSON', 'yes', 200, /is not JSON/],
    ['that is a list', '["yes"]', 200, /not in the expected format/],
    ['whose text is a list', '{"content": ["yes"]}', 200, /not in the expected format/],
    ['with a widget that is none', '{"content": "x", "widget_content": "x"}', 200, /could not be posted/],
    ['with a null byte', '{"content": "a\\u0000b"}', 200, /could not be posted/],
    ['that refuses', 'no such thing', 404, /answered with status 404/],
  ])('one %s is told of by the bot, and to its owner with more', async (_, body, status, why) => {
    const { alice, bob, bot } = await realmWithBot();
    expect(await saidTo({ bob, bot }, body, status)).toMatch(why);
    const [told = ''] = await latest(alice, 1);
    expect(told).toMatch(/^Notification Bot: Message \d+ could not be delivered to your bot @_\*\*Helper\|/);
    expect(told).toMatch(why);
    expect(told).toContain(status === 404 ? '```\nno such thing\n```' : 'Message');
    expect(await latest(bob, 1)).not.toContain('no such thing');
  });
});

describe('of two workers', () => {
  test('one delivers', async () => {
    const { bob, bot } = await realmWithBot();
    service.answer = answering('{"content": "once"}');
    const id = await tell(bob, [bot], 'x');
    const [delivery = 0] = await webhookDeliveriesOf(bob, id);
    const asked = service.requests.length;
    await Promise.all(
      [1, 2, 3].map(() => runOnDemand('deliver-webhook', delivery, { webhooks }, bob.realm.id)),
    );
    expect(service.requests.length - asked).toBe(1);
    expect(await latest(bob, 2)).toEqual(['Bob: x', 'Helper: once']);
  });

  test('one replies, when the other was only thought dead', async () => {
    const { bob, bot } = await realmWithBot();
    const id = await tell(bob, [bot], 'x');
    const [delivery = 0] = await webhookDeliveriesOf(bob, id);
    let goOn = (): unknown => undefined;
    const arrived = new Promise<void>((resolve) => {
      service.answer = (_, response) => {
        goOn = () => response.end('{"content": "late"}');
        resolve();
      };
    });
    const slow = runOnDemand('deliver-webhook', delivery, { webhooks }, bob.realm.id);
    await arrived;
    service.answer = answering('{"content": "in time"}');
    const clock = { nowMs: () => Date.now() + 31_000 };
    await runWebhooks({ webhooks, clock });
    goOn();
    await slow;
    expect(await latest(bob, 2)).toEqual(['Bob: x', 'Helper: in time']);
    const keys = service.requests.slice(-2).map(({ headers }) => headers['idempotency-key']);
    expect(keys[0]).toBe(keys[1]);
  });

  test.each([503, 404])(
    'one that comes back with %i does not undo what the other has begun',
    async (status) => {
      const { bob, bot } = await realmWithBot();
      const [delivery = 0] = await webhookDeliveriesOf(bob, await tell(bob, [bot], 'x'));
      const held: ServerResponse[] = [];
      service.answer = (_, response) => held.push(response);
      const asked = service.requests.length;
      const after = (seconds: number) => ({ webhooks, clock: { nowMs: () => Date.now() + seconds * 1000 } });
      const first = runOnDemand('deliver-webhook', delivery, after(0), bob.realm.id);
      await vi.waitUntil(() => held.length === 1, { timeout: 60_000 });
      const second = runOnDemand('deliver-webhook', delivery, after(31), bob.realm.id);
      await vi.waitUntil(() => held.length === 2, { timeout: 60_000 });
      held[0]?.writeHead(status).end();
      await first;
      expect(await runOnDemand('deliver-webhook', delivery, after(40), bob.realm.id)).toEqual({
        outcome: 'not due',
      });
      held[1]?.end('{"content": "once"}');
      await second;
      expect(service.requests.length - asked).toBe(2);
      expect(await latest(bob, 2)).toEqual(['Bob: x', 'Helper: once']);
    },
  );
});
