import { deliveryOf, integrations } from '@parley/api';
import { describe, expect, test } from 'vitest';

import { basic, createChannel, deliver, outcomeOf, realm, refused, succeed } from '../../support/index.ts';
import { webhookRealm } from './webhook-realm.ts';

const payload = { tea: 'green' };

describe('POST /external/{integration}', () => {
  test('sends to the channel and topic that its address names', async () => {
    const { hook, newest, builds } = await webhookRealm();
    const send = async (query: object) =>
      (await deliver(hook, 'json', { payload, query: { ...query } })).body;
    expect(await send({ stream: 'Builds', topic: ' Tea ', unknown: 1 })).toEqual({
      result: 'success',
      msg: '',
    });
    expect(await newest()).toMatchObject({
      sender_id: hook.id,
      client: 'JSON',
      display_recipient: 'builds',
      subject: 'Tea',
    });
    expect(await send({ stream: String(builds), topic: '' })).toMatchObject({ result: 'success' });
    expect(await newest()).toMatchObject({ stream_id: builds, subject: 'general chat' });
    expect(await send({ stream: builds, topic: 'a\u0000b\ufffe' })).toMatchObject({ result: 'success' });
    expect(await newest()).toMatchObject({ subject: 'a b' });
    expect(await send({ stream: 'nowhere' })).toMatchObject({
      code: 'STREAM_DOES_NOT_EXIST',
      stream: 'nowhere',
    });
    expect(outcomeOf(await send({ stream: '9999999999' }))).toBe('STREAM_DOES_NOT_EXIST');
  });

  test('sends to the bot’s owner without one', async () => {
    const { hook, newest, alice } = await webhookRealm();
    await deliver(hook, 'json', { payload, query: { topic: 'ignored' } });
    expect(await newest()).toMatchObject({ sender_id: hook.id, type: 'private', subject: '' });
    const { display_recipient: people } = await newest();
    expect(new Set(people.map(({ id }: { id: number }) => id))).toEqual(new Set([hook.id, alice.id]));
  });

  test('sends only where the bot may write', async () => {
    const { hook, bob } = await webhookRealm();
    await createChannel(bob, 'secret', [bob], { invite_only: true });
    const { body } = await deliver(hook, 'json', { payload, query: { stream: 'secret' } });
    expect(body).toEqual(refused('You do not have permission to post in this channel.'));
  });

  test('tells of the chosen types of events alone', async () => {
    const { hook, newest } = await webhookRealm();
    const star = {
      repository: { name: 'a', full_name: 'o/a', html_url: 'https://ex.org/a' },
      action: 'created',
      sender: { login: 'm' },
    };
    const isTold = async (choice: object) => {
      const before = await newest();
      const reply = await deliver(hook, 'github', {
        payload: star,
        headers: { 'X-GitHub-Event': 'star' },
        query: { stream: 'builds', ...choice },
      });
      expect(reply.body).toEqual({ result: 'success', msg: '' });
      return (await newest())?.id !== before?.id;
    };
    expect(await isTold({})).toBe(true);
    expect(await isTold({ only_events: ['push', 's*r'] })).toBe(true);
    expect(await isTold({ only_events: ['push', 'starred', 's*t*r*r'] })).toBe(false);
    expect(await isTold({ only_events: [] })).toBe(false);
    expect(await isTold({ exclude_events: ['*'] })).toBe(false);
    expect(await isTold({ exclude_events: ['push', 'sta'] })).toBe(true);
    expect(await isTold({ only_events: ['*'], exclude_events: ['star'] })).toBe(false);
  });

  test('takes the key of an incoming-webhook bot, and credentials', async () => {
    const { hook, alice, owner, newest, bot } = await webhookRealm();
    const by = async (apiKey: string) => (await deliver({ ...hook, apiKey }, 'json', { payload })).body;
    const invalid = refused('This API key is not valid.', 'INVALID_API_KEY');
    for (const key of [alice.apiKey, bot.apiKey, 'x'.repeat(32), 'x', ''])
      expect(await by(key)).toEqual(invalid);
    expect(await by((await realm()).owner.apiKey)).toEqual(invalid);

    const own = { payload: '{}' };
    expect((await alice.ask('POST', '/external/json', own)).status).toBe(200);
    expect(await newest()).toMatchObject({ sender_id: alice.id, type: 'private' });
    expect((await alice.ask('POST', '/external/json', own, { authorization: null })).body).toMatchObject({
      code: 'UNAUTHENTICATED_USER',
    });
    const authorization = basic(`hook-bot@${alice.realm.emailDomain}`, hook.apiKey);
    expect((await alice.ask('POST', '/external/json', own, { authorization })).status).toBe(200);

    const { api_key } = await succeed(alice.post(`/bots/${hook.id}/api_key/regenerate`));
    expect(await by(hook.apiKey)).toEqual(invalid);
    expect(await by(api_key)).toMatchObject({ result: 'success' });
    await succeed(owner.delete(`/bots/${hook.id}`));
    expect(await by(api_key)).toEqual(invalid);
  });

  test('refuses what no product sends', async () => {
    const { hook } = await webhookRealm();
    const malformed = refused('Malformed JSON', 'INVALID_JSON');
    for (const text of ['', '{', 'payload={}', `${'['.repeat(51)}${']'.repeat(51)}`, '['.repeat(500_000)]) {
      expect((await deliver(hook, 'json', { payload: text })).body).toEqual(malformed);
    }
    const long = JSON.stringify('x'.repeat(1024 * 1024));
    expect((await deliver(hook, 'json', { payload: long })).body).toEqual(
      refused('The request is too large.'),
    );
    const missing = await deliver(hook, 'zebra', { payload });
    expect([missing.status, missing.body.code]).toEqual([404, 'NOT_FOUND']);
    const { body } = await deliver(hook, 'json', { payload, query: { only_events: 'push' } });
    expect(body).toEqual(refused('only_events must be JSON.'));
  });

  test.each(integrations)('tells of what $displayName sends', async (integration) => {
    const { hook, newest } = await webhookRealm();
    for (const sample of Object.values(integration.samples)) {
      const { event: by } = integration;
      const told = integration.read(deliveryOf(integration, sample));
      const { body } = await deliver(hook, integration.name, {
        payload: sample[1],
        headers: typeof by === 'function' ? {} : { [by.header]: sample[0] },
        query: { stream: 'builds' },
      });
      expect(body).toMatchObject({ result: 'success', msg: '' });
      expect(told).toMatchObject({ content: (await newest()).content });
    }
  });

  test('is listed for those who create bots', async () => {
    const { alice } = await realm();
    const { realm_incoming_webhook_bots: listed } = await alice.post('/register', {
      fetch_event_types: ['realm_incoming_webhook_bots'],
    });
    expect(listed.map(({ name }: { name: string }) => name)).toEqual(integrations.map(({ name }) => name));
    const listedAs = (name: string) => listed.find((one: { name: string }) => one.name === name);
    expect(listedAs('slack_incoming')).toEqual({
      name: 'slack_incoming',
      display_name: 'Slack-compatible webhook',
      all_event_types: null,
      config_options: [],
      url_options: [],
    });
    expect(listedAs('alertmanager')).toMatchObject({ all_event_types: ['firing', 'resolved'] });
    const make = async (service_name: string) =>
      outcomeOf(
        await alice.post('/bots', { full_name: service_name, short_name: 'x', bot_type: 2, service_name }),
      );
    expect(await make('github')).toBe('ok');
    expect(await make('zebra')).toBe("There is no integration called 'zebra'.");
  });
});
