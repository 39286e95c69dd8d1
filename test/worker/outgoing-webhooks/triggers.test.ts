import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import {
  type Json,
  type TestRealm,
  type WebhookService,
  createChannel,
  createGroup,
  createWebhookBot,
  payloadOf,
  realm,
  runOnDemand,
  runWebhooks,
  say,
  startWebhookService,
  succeed,
  tell,
  webhookClient,
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
beforeEach(() => {
  service.requests.splice(0);
});

async function realmWithBot(more: object = {}): Promise<{ people: TestRealm; bot: Json }> {
  const people = await realm();
  return { people, bot: await createWebhookBot(people.alice, service.url, more) };
}

/** What the service has been told, as triggers and texts. */
async function told(): Promise<string[]> {
  await runWebhooks({ webhooks });
  return service.requests.splice(0).map((request) => {
    const { trigger, data } = payloadOf(request);
    return `${trigger}: ${data}`;
  });
}

describe('the service of a bot is told', () => {
  test('the service gets messages that mention the bot, also as a member of a group, where it receives them', async () => {
    const { people, bot } = await realmWithBot();
    const { alice, bob } = people;
    await createChannel(alice, 'news', [alice, bob]);
    await createGroup(alice, 'helpers', [bot]);
    await say(bob, 'news', 't', 'hello @**Helper**, once and @**Helper** again');
    expect(await told()).toEqual(['mention: hello @**Helper**, once and @**Helper** again']);
    await succeed(
      alice.post('/users/me/subscriptions', { subscriptions: [{ name: 'news' }], principals: [bot.id] }),
    );
    await say(bob, 'news', 't', 'and @*helpers*');
    expect(await told()).toEqual(['mention: and @*helpers*']);
  });

  test('the service gets direct messages, also among several, and once where they mention the bot too', async () => {
    const { people, bot } = await realmWithBot();
    const { alice, bob, guest } = people;
    await tell(bob, [bot], 'one');
    await tell(bob, [bot, alice], 'two @**Helper**');
    await tell(guest, [bot], 'three');
    expect(await told()).toEqual([
      'direct_message: one',
      'direct_message: two @**Helper**',
      'direct_message: three',
    ]);
  });

  test('the service gets messages by the plan that is remembered of the last message, too', async () => {
    const { people, bot } = await realmWithBot();
    await tell(people.bob, [bot], 'one');
    await tell(people.bob, [bot], 'two');
    expect(await told()).toEqual(['direct_message: one', 'direct_message: two']);
  });

  test('the service gets messages that were scheduled, when they are sent', async () => {
    const { people, bot } = await realmWithBot();
    const due = Math.floor(Date.now() / 1000) + 3600;
    const params = { type: 'direct', to: [bot.id], content: 'later', scheduled_delivery_timestamp: due };
    await succeed(people.bob.post('/scheduled_messages', params));
    expect(await told()).toEqual([]);
    await runOnDemand('deliver-due', people.bob.id, { clock: { nowMs: () => (due + 1) * 1000 } });
    expect(await told()).toEqual(['direct_message: later']);
  });

  test('the service gets nothing that mentions the bot silently, or everyone, or names it in code, or comes by an edit', async () => {
    const { people, bot } = await realmWithBot();
    const { alice, bob } = people;
    await createChannel(alice, 'news', [alice, bob]);
    await succeed(
      alice.post('/users/me/subscriptions', { subscriptions: [{ name: 'news' }], principals: [bot.id] }),
    );
    await say(bob, 'news', 't', '@_**Helper**');
    await say(bob, 'news', 't', '@**all**');
    await say(bob, 'news', 't', '@**topic**');
    await say(bob, 'news', 't', '`@**Helper**`');
    const id = await say(bob, 'news', 't', 'plain');
    await succeed(bob.patch(`/messages/${id}`, { content: '@**Helper**' }));
    expect(await told()).toEqual([]);
  });

  test('the service gets nothing in a private channel that the bot is not in', async () => {
    const { people } = await realmWithBot();
    const { alice, bob } = people;
    await createChannel(alice, 'secret', [alice, bob], { invite_only: true });
    await say(bob, 'secret', 't', '@**Helper**');
    expect(await told()).toEqual([]);
  });

  test('the service gets nothing that a bot says', async () => {
    const { people, bot } = await realmWithBot();
    const other = await createWebhookBot(people.alice, service.url, { full_name: 'Other' });
    const generic = await people.join({ name: 'Robot', botType: 1, botOwnerId: people.alice.id });
    await tell(generic, [bot], 'one');
    await createChannel(people.alice, 'news', [people.alice]);
    service.answer = (_, response) => response.end('{"content": "@**Helper** and @**Other**, hello"}');
    await say(people.alice, 'news', 't', '@**Helper**');
    expect(await told()).toEqual(['mention: @**Helper**']);
    await tell(people.alice, [bot, other], 'both');
    expect(await told()).toEqual(['direct_message: both', 'direct_message: both']);
    expect(await told()).toEqual([]);
  });

  test('the service gets nothing once the bot is not in use, or the message is gone', async () => {
    const { people, bot } = await realmWithBot();
    const { alice, bob, owner } = people;
    const gone = await tell(bob, [bot], 'gone');
    await succeed(bob.delete(`/messages/${gone}`));
    await tell(bob, [bot], 'there');
    expect(await told()).toEqual(['direct_message: there']);
    await tell(bob, [bot], 'too late');
    await succeed(alice.delete(`/bots/${bot.id}`));
    await succeed(owner.post(`/users/${bot.id}/reactivate`));
    expect(await told()).toEqual([]);
  });
});

describe('it is sent', () => {
  test('the whole message as the bot may see it, with a token and a key of the event', async () => {
    const { people, bot } = await realmWithBot();
    const { alice, bob } = people;
    const channel = await createChannel(alice, 'news', [alice, bob]);
    const id = await say(bob, 'news', '', '**now** @**Helper**');
    await runWebhooks({ webhooks });
    const [request] = service.requests;
    if (!request) throw new Error('Nothing was sent.');
    const { realm_bots } = await alice.post('/register', { fetch_event_types: ['realm_bot'] });
    const [{ token }] = realm_bots.find(({ user_id }: Json) => user_id === bot.id).services;
    const payload = payloadOf(request);
    const {
      messages: [read],
    } = await bob.get('/messages', {
      message_ids: [id],
      apply_markdown: false,
      client_gravatar: false,
    });
    const { flags: _, ...message } = read;
    expect(payload).toEqual({
      bot_email: expect.stringMatching(/^helper.*-bot@/),
      bot_full_name: 'Helper',
      data: '**now** @**Helper**',
      trigger: 'mention',
      token,
      message: {
        ...message,
        subject: 'general chat',
        stream_id: channel,
        content_type: 'text/x-markdown',
        rendered_content: expect.stringContaining('<strong>now</strong>'),
      },
    });
    expect(request.headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': expect.stringMatching(/^ParleyOutgoingWebhook\/\S+$/),
      'idempotency-key': `${bob.realm.id}-${bot.id}-${id}`,
    });
    expect(request.headers).not.toHaveProperty('authorization');
  });

  test('its token for ever, whatever else changes', async () => {
    const { people, bot } = await realmWithBot();
    const { alice, bob } = people;
    const tokenSent = async () => {
      await tell(bob, [bot], 'x');
      await runWebhooks({ webhooks });
      return payloadOf(service.requests.at(-1) ?? { headers: {}, body: '' }).token;
    };
    const token = await tokenSent();
    expect(token).toMatch(/^\w{32}$/);
    await succeed(
      alice.patch(`/bots/${bot.id}`, {
        full_name: 'Renamed',
        service_payload_url: JSON.stringify(`${service.url}/elsewhere`),
      }),
    );
    await succeed(alice.post(`/bots/${bot.id}/api_key/regenerate`));
    expect(await tokenSent()).toBe(token);
    const other = await createWebhookBot(alice, service.url, { full_name: 'Other' });
    await tell(bob, [other], 'x');
    await runWebhooks({ webhooks });
    expect(payloadOf(service.requests.at(-1) ?? { headers: {}, body: '' }).token).not.toBe(token);
  });

  test('a form with the fields that programs for Slack read, if it wants one', async () => {
    const { people, bot } = await realmWithBot({ interface_type: 2 });
    const { alice, bob } = people;
    const channel = await createChannel(alice, 'news', [alice, bob]);
    await say(bob, 'news', 't', '@**Helper** & more');
    await runWebhooks({ webhooks });
    const [{ headers, body } = { headers: {}, body: '' }] = service.requests;
    expect(headers['content-type']).toBe('application/x-www-form-urlencoded');
    const fields = Object.fromEntries(new URLSearchParams(body));
    expect(fields).toEqual({
      token: expect.stringMatching(/^\w{32}$/),
      team_id: `T${bob.realm.id}`,
      team_domain: bob.realm.host,
      channel_id: `C${channel}`,
      channel_name: 'news',
      thread_ts: expect.stringMatching(/^\d+$/),
      timestamp: fields['thread_ts'],
      user_id: `U${bob.id}`,
      user_name: 'Bob',
      text: '@**Helper** & more',
      trigger_word: 'mention',
      service_id: `${bot.id}`,
    });
  });
});
