import type { ServerResponse } from 'node:http';

import { afterAll, beforeAll, expect, test } from 'vitest';

import {
  type Json,
  type WebhookService,
  createChannel,
  createWebhookBot,
  realm,
  runWebhooks,
  say,
  startWebhookService,
  succeed,
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

/** A program as one writes it for outgoing webhooks of Slack: it rolls dice for whoever says so. */
const dice = (token: string) =>
  function answer({ headers, body }: { headers: Json; body: string }, response: ServerResponse): void {
    const fields = new URLSearchParams(body);
    const field = (name: string) => fields.get(name) ?? '';
    const reply = (text: string) =>
      response
        .writeHead(200, { 'Content-Type': 'application/json' })
        .end(JSON.stringify({ text, username: 'dice', icon_emoji: ':game_die:' }));
    if (headers['content-type'] !== 'application/x-www-form-urlencoded') response.writeHead(415).end();
    else if (field('token') !== token) response.writeHead(401).end();
    else if (field('user_id') === 'USLACKBOT') response.writeHead(200).end();
    else if (!/\broll\b/.test(field('text'))) response.writeHead(200).end();
    else {
      const [team, channel] = [field('team_domain'), `${field('channel_id')} ${field('channel_name')}`];
      const at = new Date(Number(field('timestamp')) * 1000).getUTCFullYear();
      reply(`${field('user_name')} of ${team} rolled *6* in ${channel}, ${at}, for ${field('service_id')}`);
    }
  };

test('a program that was written for Slack reads its fields and answers with a text', async () => {
  const { alice, bob, realm: home } = await realm();
  const channel = await createChannel(alice, 'games', [alice, bob]);
  const bot = await createWebhookBot(alice, service.url, { interface_type: 2 });
  const { realm_bots: bots } = await alice.post('/register', { fetch_event_types: ['realm_bot'] });
  const [{ token }] = bots.find(({ user_id }: Json) => user_id === bot.id).services;
  const said = async (text: string) => {
    const id = await say(bob, 'games', 'dice', text);
    await runWebhooks({ webhooks });
    const page = { anchor: id, num_before: 0, num_after: 5, apply_markdown: false };
    const { messages } = await succeed(bob.get('/messages', page));
    return messages
      .filter((one: Json) => one.id > id)
      .map(({ content, subject }: Json) => [subject, content]);
  };
  service.answer = dice(token);
  const year = new Date().getUTCFullYear();
  expect(await said('@**Helper** roll, please')).toEqual([
    ['dice', `Bob of ${home.host} rolled *6* in C${channel} games, ${year}, for ${bot.id}`],
  ]);
  expect(await said('@**Helper** sleep')).toEqual([]);
  service.answer = dice('another');
  expect(await said('@**Helper** roll')).toEqual([['dice', expect.stringContaining('status 401')]]);
});
