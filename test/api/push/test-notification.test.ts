import { expect, test } from 'vitest';

import { type Person, devicesOf, getWorld, realm, startPushServices, succeed } from '../../support/index.ts';

const appid = 'org.example.app';

async function registerDevices(who: Person): Promise<void> {
  await succeed(who.post('/users/me/apns_device_token', { token: 'ABC123', appid }));
  await succeed(who.post('/users/me/android_gcm_reg_id', { token: 'phone' }));
}

test('a notification is sent to one device, or to all, and says what became of it', async () => {
  const { alice, bob } = await realm();
  await using services = await startPushServices();
  await using node = await (await getWorld()).startApi({ push: services.client });
  const send = async (who: Person, params = {}) =>
    (await who.ask('POST', '/mobile_push/test_notification', params, { port: node.port })).body;
  await registerDevices(alice);

  await succeed(send(alice));
  await succeed(send(alice, { token: 'Abc123' }));
  expect([services.apns.length, services.fcm.length]).toEqual([2, 1]);
  const account = { event: 'test', realm_url: alice.realm.url, realm_uri: alice.realm.url };
  expect(services.apns[0]?.body).toMatchObject({
    aps: { alert: { title: expect.any(String), body: expect.stringContaining(alice.realm.url) } },
    zulip: { ...account, user_id: alice.id },
  });
  expect(services.fcm[0]?.body.data).toMatchObject({ ...account, user_id: `${alice.id}` });

  expect((await send(alice, { token: 'other' })).code).toBe('INVALID_PUSH_DEVICE_TOKEN');
  expect((await send(bob, { token: 'phone' })).code).toBe('INVALID_PUSH_DEVICE_TOKEN');
  expect((await send(bob)).code).toBe('INVALID_PUSH_DEVICE_TOKEN');

  services.answer('phone', { status: 503 }, 'hang up', {
    status: 404,
    body: { error: { details: [{ errorCode: 'UNREGISTERED' }] } },
  });
  expect((await send(alice)).code).toBe('INTERNAL_SERVER_ERROR_ON_BOUNCER');
  expect((await send(alice)).code).toBe('FAILED_TO_CONNECT_BOUNCER');
  expect((await send(alice)).code).toBe('INVALID_REMOTE_PUSH_DEVICE_TOKEN');
  expect(await devicesOf(alice)).toEqual([['apns', 'abc123', appid]]);
});

test('clients know whether the server notifies phones, and a test says so', async () => {
  const { alice } = await realm();
  await registerDevices(alice);
  expect((await alice.post('/mobile_push/test_notification')).code).toBe('ADMIN_ACTION_REQUIRED');
  await using services = await startPushServices();
  await using node = await (await getWorld()).startApi({ push: services.client });
  for (const [port, isEnabled] of [
    [undefined, false],
    [node.port, true],
  ] as const) {
    const at = port === undefined ? {} : { port };
    const registered = await alice.ask('POST', '/register', { fetch_event_types: ['realm'] }, at);
    expect(registered.body.realm_push_notifications_enabled).toBe(isEnabled);
    const { body } = await alice.ask('GET', '/server_settings', {}, { ...at, authorization: null });
    expect(body.push_notifications_enabled).toBe(isEnabled);
  }
});
