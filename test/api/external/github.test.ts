import { integrations } from '@parley/api';
import { describe, expect, test } from 'vitest';

import { type Json, deliver } from '../../support/index.ts';
import { webhookRealm } from './webhook-realm.ts';

/** The payload of a sample. */
function payloadOf(title: string): Json {
  const sample = integrations.find(({ name }) => name === 'github')?.samples[title];
  if (!sample) throw new Error(`There is no sample called ${title}.`);
  return sample[1];
}

describe('GitHub', () => {
  test('says what it does not tell of', async () => {
    const { hook, newest } = await webhookRealm();
    const before = await newest();
    const send = async (event: string, payload: object) =>
      (await deliver(hook, 'github', { payload, headers: { 'x-github-event': event } })).body;
    const unsupported = {
      result: 'success',
      msg: '',
      code: 'UNSUPPORTED_WEBHOOK_EVENT_TYPE',
      webhook_name: 'github',
    };
    const pull = payloadOf('PR opened');
    expect(await send('watch', {})).toEqual({ ...unsupported, event_type: 'watch' });
    expect(await send('constructor', {})).toEqual({ ...unsupported, event_type: 'constructor' });
    expect(await send('pull_request', { ...pull, action: 'auto_merge_enabled' })).toEqual({
      ...unsupported,
      event_type: 'pull_request:auto_merge_enabled',
    });
    expect(await newest()).toEqual(before);
  });

  test('needs its header, and its payloads', async () => {
    const { hook } = await webhookRealm();
    const payload = payloadOf('push');
    expect((await deliver(hook, 'github', { payload })).body).toMatchObject({
      code: 'MISSING_HTTP_EVENT_HEADER',
      header: 'X-GitHub-Event',
    });
    const headers = { 'X-GitHub-Event': 'push' };
    expect(
      (await deliver(hook, 'github', { payload: { ...payload, commits: [1] }, headers })).body,
    ).toMatchObject({
      code: 'ANOMALOUS_WEBHOOK_PAYLOAD',
      webhook_name: 'github',
    });
    const form = `payload=${encodeURIComponent(JSON.stringify(payload))}`;
    const type = { 'Content-Type': 'application/x-www-form-urlencoded' };
    expect((await deliver(hook, 'github', { payload: form, headers: { ...headers, ...type } })).status).toBe(
      200,
    );
  });
});
