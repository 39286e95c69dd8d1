import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import {
  type Json,
  type Person,
  type WebhookService,
  createWebhookBot,
  emptyChannel,
  payloadOf,
  realm,
  runWebhooks,
  say,
  startWebhookService,
  succeed,
  tell,
  webhookClient,
} from '../../support/index.ts';
import { shown } from './heard.ts';

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

/** What the service of the bot has been sent since it was last asked. */
async function told(): Promise<Json[]> {
  await runWebhooks({ webhooks });
  return service.requests.splice(0).map(payloadOf);
}

/** A public channel with Alice, Bob and Alice's bot, which has a service. */
async function withBot() {
  const all = await realm();
  const { alice, bob } = all;
  const bot = await createWebhookBot(alice, service.url);
  const news = await emptyChannel(alice, 'news', [alice, bob]);
  const principals = [bot.id];
  await succeed(alice.post('/users/me/subscriptions', { subscriptions: [{ name: 'news' }], principals }));
  return { ...all, news, bot };
}

describe('4.22 POST the address of a bot', () => {
  test('a direct message and a mention are told with triggers of their own, and nothing else is told', async () => {
    const { alice, bob, news, bot } = await withBot();
    await tell(bob, [bot as Person], 'direct');
    await say(bob, news, 't', '@**Helper** mention');
    await say(bob, news, 't', 'nothing');
    await tell(bob, [alice], '@**Helper** elsewhere');
    expect((await told()).map(({ trigger, data }) => [trigger, data])).toEqual([
      ['direct_message', 'direct'],
      ['mention', '@**Helper** mention'],
    ]);
  });

  test('the token of a bot is the same in each request, whatever changes, and another bot has another', async () => {
    const { alice, bob, bot } = await withBot();
    const other = await createWebhookBot(alice, service.url, { full_name: 'Other' });
    const tokenSentTo = async (one: Json) => {
      await tell(bob, [one as Person]);
      return (await told()).map(({ token }) => token);
    };
    const token = await tokenSentTo(bot);
    await succeed(alice.post(`/bots/${bot.id}/api_key/regenerate`));
    expect(await tokenSentTo(bot)).toEqual(token);
    expect(await tokenSentTo(other)).not.toEqual(token);
  });

  test('the payload has the raw text, the text as HTML, and the message as a list of messages has it', async () => {
    const { bob, news } = await withBot();
    const id = await say(bob, news, 't', '@**Helper** **now**');
    const [{ message, ...rest } = {}] = (await told()) as [Json];
    expect(rest).toMatchObject({ bot_full_name: 'Helper', data: '@**Helper** **now**' });
    const listed = await shown(bob, id);
    for (const name of ['id', 'type', 'sender_id', 'stream_id', 'subject', 'recipient_id', 'timestamp']) {
      expect(message[name], name).toEqual(listed[name]);
    }
    expect(message.rendered_content).toContain('<strong>now</strong>');
  });

  test('what a bot’s service answers is said where the message was, and is told to no service again', async () => {
    const { bob, news } = await withBot();
    service.answer = (_, response) => response.end('{"content": "@**Helper** heard"}');
    await say(bob, news, 'lunch', '@**Helper**');
    expect(await told()).toHaveLength(1);
    const { messages } = await bob.get('/messages', {
      anchor: 'newest',
      num_before: 1,
      apply_markdown: false,
    });
    expect(messages).toMatchObject([{ subject: 'lunch', content: '@**Helper** heard' }]);
    expect(await told()).toEqual([]);
  });

  test('a mention in a private channel that the bot is not in is told to no service', async () => {
    const { alice, bob } = await withBot();
    const secret = await emptyChannel(alice, 'secret', [alice, bob], { invite_only: true });
    await say(bob, secret, 't', '@**Helper**');
    expect(await told()).toEqual([]);
  });
});
