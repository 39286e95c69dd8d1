import { createHmac } from 'node:crypto';

import { describe, expect, test } from 'vitest';

import { call, deliver, getWorld, outcomeOf, refused, succeed } from '../../support/index.ts';
import { webhookRealm } from './webhook-realm.ts';

const secret = 'kettle';
const payload = JSON.stringify({ zen: 'Tea.', organization: { login: 'octo' } });
const signed = (text: string) => `sha256=${createHmac('sha256', secret).update(text).digest('hex')}`;

/** A webhook whose bot has a secret. */
async function secretive() {
  const world = await webhookRealm();
  const { alice, hook } = world;
  const configure = (config: object) => alice.patch(`/bots/${hook.id}`, { config_data: config });
  await succeed(configure({ secret }));
  const ping = async (headers: Record<string, string> = {}, integration = 'github') =>
    await deliver(hook, integration, { payload, headers: { 'X-GitHub-Event': 'ping', ...headers } });
  return { ...world, configure, ping };
}

describe('a webhook with a secret', () => {
  test('takes what was signed with it alone', async () => {
    const { ping, newest } = await secretive();
    const before = await newest();
    const refusal = refused('The signature of this request is missing or wrong.', 'UNAUTHORIZED');
    const wrong: Record<string, string>[] = [
      {},
      { 'X-Hub-Signature-256': signed('{}') },
      { 'X-Hub-Signature-256': '' },
    ];
    for (const headers of wrong) {
      const { status, body } = await ping(headers);
      expect([status, body]).toEqual([401, refusal]);
    }
    expect(await newest()).toEqual(before);
    expect((await ping({ 'X-Hub-Signature-256': signed(payload) })).status).toBe(200);
    expect(await newest()).toMatchObject({ client: 'GitHub' });
  });

  test('takes nothing of products that do not sign', async () => {
    const { ping, hook } = await secretive();
    expect((await ping({ 'X-Hub-Signature-256': signed(payload) }, 'json')).body).toEqual(
      refused('This bot has a secret, and JSON does not sign.', 'UNAUTHORIZED'),
    );
    const { body } = await deliver(hook, 'slack_incoming', { payload: { text: 'Tea?' } });
    expect(body).toMatchObject({ code: 'UNAUTHORIZED', ok: false, error: 'invalid_auth' });
  });

  test('takes anything once the secret is taken away', async () => {
    const { ping, configure } = await secretive();
    expect(await succeed(configure({ secret: 'pot' }))).toMatchObject({ config_data: {} });
    expect((await ping({ 'X-Hub-Signature-256': signed(payload) })).status).toBe(401);
    await succeed(configure({}));
    expect((await ping()).status).toBe(401);
    await succeed(configure({ secret: '' }));
    expect((await ping()).status).toBe(200);
  });

  test('is checked against the address and the time where the product signs these', async () => {
    const { hook, configure } = await secretive();
    await succeed(configure({ secret }));
    const event = JSON.stringify({ type: 'payout.paid', data: { object: { object: 'payout' } } });
    const time = Math.floor(Date.now() / 1000);
    const of = (text: string) => createHmac('sha256', secret).update(text).digest('hex');
    const send = async (t: number) =>
      await deliver(hook, 'stripe', {
        payload: event,
        headers: { 'Stripe-Signature': `t=${t},v1=${of(`${t}.${event}`)}` },
      });
    expect((await send(time)).status).toBe(200);
    expect((await send(time - 1000)).status).toBe(401);

    const moved = JSON.stringify({
      action: { type: 'createList', memberCreator: { fullName: 'Mona' }, data: { board: { name: 'Tea' } } },
    });
    const address = `${hook.realm.url}/api/v1/external/trello?api_key=${hook.apiKey}`;
    const trello = createHmac('sha1', secret).update(moved).update(address);
    const headers = { 'X-Trello-Webhook': trello.digest('base64') };
    expect((await deliver(hook, 'trello', { payload: moved, headers })).status).toBe(200);
  });

  test('can be made with the secret, which nobody is shown', async () => {
    const { alice } = await webhookRealm();
    const make = (config: object) =>
      alice.post('/bots', { full_name: 'Signed', short_name: 'signed', bot_type: 2, config_data: config });
    expect(outcomeOf(await make({ colour: 'red' }))).toBe("Integrations have no setting called 'colour'.");
    expect(outcomeOf(await make({ secret: 'x'.repeat(501) }))).toBe(
      'A secret can have at most 500 characters.',
    );
    const { user_id, api_key } = await succeed(make({ secret }));
    const hook = { id: user_id, apiKey: api_key, realm: alice.realm };
    expect((await deliver(hook, 'github', { payload })).status).toBe(401);
    const { realm_bots } = await alice.post('/register', { fetch_event_types: ['realm_bot'] });
    expect(JSON.stringify(realm_bots)).not.toContain(secret);
  });
});

describe('an address of an integration', () => {
  test('answers products that try it before they send', async () => {
    const { hook } = await webhookRealm();
    const { ports } = await getWorld();
    const ask = async (method: string, name: string, apiKey = hook.apiKey) => {
      const path = `/api/v1/external/${name}?api_key=${apiKey}&stream=builds`;
      return await call({ port: ports.api, method, path, headers: { Host: hook.realm.host } });
    };
    expect((await ask('HEAD', 'trello')).status).toBe(200);
    expect((await ask('GET', 'trello')).body).toEqual({ result: 'success', msg: '' });
    expect((await ask('GET', 'zebra')).body).toMatchObject({ code: 'NOT_FOUND' });
    expect((await ask('HEAD', 'trello', 'x'.repeat(32))).status).toBe(401);
  });
});

describe('a template of the address', () => {
  test('makes the message of the fields of any JSON', async () => {
    const { hook, newest } = await webhookRealm();
    const send = async (template: string) =>
      (
        await deliver(hook, 'json', {
          payload: { tea: 'green @**all**' },
          query: { stream: 'builds', template },
        })
      ).body;
    expect(await send('Have some {{tea}}!')).toEqual({ result: 'success', msg: '' });
    expect(await newest()).toMatchObject({ content: 'Have some green @\u200B**all**!', subject: 'JSON' });
    expect(await send('{{missing}}')).toMatchObject({
      code: 'UNSUPPORTED_WEBHOOK_EVENT_TYPE',
      event_type: 'json',
    });
    expect(outcomeOf(await send('{{#tea}}'))).toMatch(/^This template cannot be read: /);
  });
});
