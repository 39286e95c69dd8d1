import { describe, expect, test } from 'vitest';

import {
  answering,
  createWebhookBot,
  failWebhook,
  payloadOf,
  realm,
  refused,
  runWebhooks,
  startWebhookService,
  succeed,
  tell,
  webhookClient,
} from '../support/index.ts';

describe('messages that could not be passed on', () => {
  test('are listed, the latest first and a page at a time', async () => {
    const { admin, bob } = await realm();
    const { alice: stranger } = await realm();
    await failWebhook(stranger);
    const ids = [await failWebhook(bob), await failWebhook(bob), await failWebhook(bob)].reverse();
    const { failures, found_oldest } = await succeed(admin.get('/realm/webhook_failures'));
    expect(failures.map(({ id }: { id: number }) => id)).toEqual(ids);
    expect(found_oldest).toBe(true);
    expect(failures[0]).toEqual({
      id: ids[0],
      bot_id: expect.any(Number),
      message_id: expect.any(Number),
      trigger: 'direct_message',
      attempts: 1,
      failed_at: expect.any(Number),
      failure: 'this server is not allowed to reach the address of the service',
    });
    const page = await succeed(admin.get('/realm/webhook_failures', { before: ids[0], num: 1 }));
    expect(page).toMatchObject({ failures: [{ id: ids[1] }], found_oldest: false });
  });

  test('are tried again when an administrator wants it, as the same event', async () => {
    const { admin, alice, bob } = await realm();
    await using service = await startWebhookService();
    await using webhooks = webhookClient();
    const bot = await createWebhookBot(alice, service.url);
    service.answer = answering('no', 403);
    await tell(bob, [bot], 'x');
    await runWebhooks({ webhooks });
    const [{ id }] = (await admin.get('/realm/webhook_failures')).failures;
    service.answer = answering('{"content": "yes"}');
    await runWebhooks({ webhooks });
    expect(service.requests).toHaveLength(1);
    await succeed(admin.post(`/realm/webhook_failures/${id}/replay`));
    expect((await admin.get('/realm/webhook_failures')).failures).toEqual([]);
    await runWebhooks({ webhooks });
    const [first, second] = service.requests;
    expect(second?.headers['idempotency-key']).toBe(first?.headers['idempotency-key']);
    expect(second && payloadOf(second).data).toBe('x');
    expect(await admin.post(`/realm/webhook_failures/${id}/replay`)).toEqual(
      refused('There is no such failed message.'),
    );
  });

  test('are not tried again for a bot that is not in use', async () => {
    const { admin, bob } = await realm();
    const id = await failWebhook(bob);
    const [{ bot_id }] = (await admin.get('/realm/webhook_failures')).failures;
    await succeed(bob.delete(`/bots/${bot_id}`));
    const replay = admin.post(`/realm/webhook_failures/${id}/replay`);
    expect(await replay).toEqual(refused('This bot is deactivated.'));
    expect((await admin.get('/realm/webhook_failures')).failures).toMatchObject([{ id }]);
  });

  test('are forgotten when one wants that', async () => {
    const { admin, bob } = await realm();
    const id = await failWebhook(bob);
    await succeed(admin.delete(`/realm/webhook_failures/${id}`));
    expect((await admin.get('/realm/webhook_failures')).failures).toEqual([]);
    expect(await admin.delete(`/realm/webhook_failures/${id}`)).toEqual(
      refused('There is no such failed message.'),
    );
  });

  test('are forgotten after a month', async () => {
    const { admin, bob } = await realm();
    const id = await failWebhook(bob);
    const inDays = (days: number) => ({ clock: { nowMs: () => Date.now() + days * 86_400_000 } });
    await runWebhooks(inDays(29));
    expect((await admin.get('/realm/webhook_failures')).failures).toMatchObject([{ id }]);
    await runWebhooks(inDays(31));
    expect((await admin.get('/realm/webhook_failures')).failures).toEqual([]);
  });

  test('come of a service that answered nothing for a day: the bot says so, and its owner is told', async () => {
    const { admin, alice, bob } = await realm();
    await using service = await startWebhookService();
    await using webhooks = webhookClient();
    const bot = await createWebhookBot(alice, service.url);
    service.answer = answering('', 503);
    await tell(bob, [bot], 'x');
    const inHours = (hours: number) => ({ clock: { nowMs: () => Date.now() + hours * 3_600_000 } });
    const [phone, desk] = [await bob.listen(), await alice.listen()];
    for (const hours of [0, 1, 23]) await runWebhooks({ webhooks, ...inHours(hours) });
    expect((await admin.get('/realm/webhook_failures')).failures).toEqual([]);
    await runWebhooks({ webhooks, ...inHours(25) });
    expect((await admin.get('/realm/webhook_failures')).failures).toMatchObject([{ attempts: 4 }]);
    expect(await phone.hears()).toMatchObject([{ message: { sender_id: bot.id, type: 'private' } }]);
    expect(await desk.hears()).toMatchObject([{ message: { sender_full_name: 'Notification Bot' } }]);
  });
});
