import { describe, expect, test } from 'vitest';

import { deliver } from '../../support/index.ts';
import { alerts, slack } from './payloads/others.ts';
import { webhookRealm } from './webhook-realm.ts';

const query = { stream: 'builds' };

describe('Alertmanager', () => {
  test('tells of a group of alerts', async () => {
    const { hook, newest } = await webhookRealm();
    expect((await deliver(hook, 'alertmanager', { payload: alerts, query })).status).toBe(200);
    expect(await newest()).toMatchObject({
      subject: 'CupEmpty',
      content: `**Firing**: [CupEmpty](http://alertmanager.example:9093/)
* :rotating_light: [The cup in the kitchen is empty](http://prometheus.example:9090/graph?g0.expr=cup_level+%3D%3D+0) (instance=kitchen:9100)
* :check: CupEmpty (instance=garden:9100)`,
    });
    const payload = { ...alerts, status: 'resolved', truncatedAlerts: 3, groupLabels: {}, commonLabels: {} };
    expect((await deliver(hook, 'alertmanager', { payload, query })).status).toBe(200);
    const { subject, content } = await newest();
    expect([subject, content]).toEqual([
      'chat',
      expect.stringMatching(/^\*\*Resolved.*3 more alerts were left out\.$/s),
    ]);
  });

  test('needs alerts', async () => {
    const { hook } = await webhookRealm();
    const { body } = await deliver(hook, 'alertmanager', { payload: { ...alerts, alerts: [] } });
    expect(body).toMatchObject({ code: 'ANOMALOUS_WEBHOOK_PAYLOAD', webhook_name: 'alertmanager' });
  });
});

describe('Slack-compatible webhooks', () => {
  test('take what is written for Slack', async () => {
    const { hook, newest } = await webhookRealm();
    expect((await deliver(hook, 'slack_incoming', { payload: slack, query })).status).toBe(200);
    expect(await newest()).toMatchObject({
      subject: 'tea',
      content: `## The tea

**hot** & ~~cold~~, *says* [the kettle](https://ex.org/tea) to @U123
**Kind**
Green

---

now

## [A cup](https://ex.org/cup)
@here is one
**Size**: L`,
    });
  });

  test('take a text alone, also as a form', async () => {
    const { hook, newest } = await webhookRealm();
    const payload = `payload=${encodeURIComponent(JSON.stringify({ text: 'Tea, @**Alice**?' }))}`;
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded; charset=utf-8' };
    expect((await deliver(hook, 'slack_incoming', { payload, headers, query })).status).toBe(200);
    expect(await newest()).toMatchObject({ subject: 'general chat', content: 'Tea, @**Alice**?' });
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
