import { integrations } from '@parley/api';
import { describe, expect, test } from 'vitest';

import { type Json, deliver } from '../../support/index.ts';
import { webhookRealm } from './webhook-realm.ts';

/** The payload of a sample. */
function payloadOf(title: string): Json {
  const sample = integrations.find(({ name }) => name === 'gitlab')?.samples[title];
  if (!sample) throw new Error(`There is no sample called ${title}.`);
  return sample[1];
}

describe('GitLab', () => {
  test('says what it does not tell of, and needs its header', async () => {
    const { hook } = await webhookRealm();
    const send = async (event: string, payload: object) =>
      (await deliver(hook, 'gitlab', { payload, headers: { 'X-Gitlab-Event': event } })).body;
    const pipeline = payloadOf('pipeline failed');
    const running = { ...pipeline, object_attributes: { ...pipeline.object_attributes, status: 'running' } };
    expect(await send('Pipeline Hook', running)).toMatchObject({ event_type: 'Pipeline Hook:' });
    expect(await send('Deployment Hook', {})).toMatchObject({ event_type: 'Deployment Hook' });
    expect(await send('Push Hook', {})).toMatchObject({ code: 'ANOMALOUS_WEBHOOK_PAYLOAD' });
    const { body } = await deliver(hook, 'gitlab', { payload: pipeline });
    expect(body).toMatchObject({ code: 'MISSING_HTTP_EVENT_HEADER', header: 'X-Gitlab-Event' });
  });
});
