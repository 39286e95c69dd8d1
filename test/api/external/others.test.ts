import { describe, expect, test } from 'vitest';

import { deliver } from '../../support/index.ts';
import { webhookRealm } from './webhook-realm.ts';

const query = { stream: 'builds' };

describe('Alertmanager', () => {
  test('needs alerts', async () => {
    const { hook } = await webhookRealm();
    const payload = { status: 'firing', alerts: [] };
    const { body } = await deliver(hook, 'alertmanager', { payload });
    expect(body).toMatchObject({ code: 'ANOMALOUS_WEBHOOK_PAYLOAD', webhook_name: 'alertmanager' });
  });
});

describe('Slack-compatible webhooks', () => {
  test('take a text alone, also as a form', async () => {
    const { hook, newest } = await webhookRealm();
    const payload = `payload=${encodeURIComponent(JSON.stringify({ text: 'Tea, @**Alice**?' }))}`;
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded; charset=utf-8' };
    expect((await deliver(hook, 'slack_incoming', { payload, headers, query })).status).toBe(200);
    expect(await newest()).toMatchObject({ subject: 'general chat', content: 'Tea, @**Alice**?' });
    const input = { type: 'input', label: { type: 'plain_text', text: 'Name' } };
    const shown = {
      payload: { text: 'Your name?', blocks: [input], attachments: [{ author_name: 7 }] },
      query,
    };
    expect((await deliver(hook, 'slack_incoming', shown)).status).toBe(200);
    expect(await newest()).toMatchObject({ content: 'Your name?' });
    for (const empty of [{}, { text: ' ' }, { blocks: [{ type: 'section' }] }, 'text']) {
      const { body } = await deliver(hook, 'slack_incoming', { payload: JSON.stringify(empty), query });
      expect(body).toMatchObject({ code: 'ANOMALOUS_WEBHOOK_PAYLOAD', webhook_name: 'slack_incoming' });
    }
  });
});

describe('programs that are written for Slack', () => {
  test('are answered as they expect, and as the API says', async () => {
    const { hook } = await webhookRealm();
    const to = async (differing: Partial<Parameters<typeof deliver>[2]>, by = hook) =>
      (await deliver(by, 'slack_incoming', { payload: { text: 'Tea?' }, query, ...differing })).body;
    expect(await to({})).toEqual({ result: 'success', msg: '', ok: true });
    expect(await to({ payload: '{' })).toMatchObject({
      result: 'error',
      code: 'INVALID_JSON',
      ok: false,
      error: 'invalid_payload',
    });
    expect(await to({ payload: {} })).toMatchObject({ ok: false, error: 'invalid_payload' });
    expect(await to({ query: { ...query, stream: 'nowhere' } })).toMatchObject({
      code: 'STREAM_DOES_NOT_EXIST',
      ok: false,
      error: 'channel_not_found',
    });
    expect(await to({}, { ...hook, apiKey: 'x'.repeat(32) })).toMatchObject({
      ok: false,
      error: 'invalid_auth',
    });
    const { body } = await deliver(hook, 'json', { payload: {}, query });
    expect(body).not.toHaveProperty('ok');
  });
});

describe('plain JSON', () => {
  test('is shown as it is', async () => {
    const { hook, newest } = await webhookRealm();
    const payload = { tea: ['green', '~~~ fence', '@**all**'] };
    expect((await deliver(hook, 'json', { payload, query })).status).toBe(200);
    expect(await newest()).toMatchObject({
      subject: 'JSON',
      content: `~~~~ json\n${JSON.stringify(payload, null, 2)}\n~~~~`,
    });
    expect(
      (await deliver(hook, 'json', { payload: 'x'.repeat(20_000).split('').map(Number), query })).status,
    ).toBe(200);
    expect((await newest()).content).toMatch(/^~~~ json\n\[(null,)+n?u?l?l?,?…\n~~~$/);
  });
});
