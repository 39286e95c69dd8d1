import { describe, expect, test } from 'vitest';

import { type Person, devicesOf, realm, succeed } from '../../support/index.ts';

const appid = 'org.example.app';
const apple = (who: Person, token: string) => who.post('/users/me/apns_device_token', { token, appid });
const android = (who: Person, token: string) => who.post('/users/me/android_gcm_reg_id', { token });

describe('devices', () => {
  test('are registered once, however often, and forgotten', async () => {
    const { alice } = await realm();
    for (let round = 0; round < 2; round += 1) {
      await succeed(apple(alice, 'ABCdef01'));
      await succeed(android(alice, 'Token:1_x-Y'));
    }
    expect(await devicesOf(alice)).toEqual([
      ['apns', 'abcdef01', appid],
      ['fcm', 'Token:1_x-Y', null],
    ]);
    await succeed(alice.delete('/users/me/apns_device_token', { token: 'abcDEF01' }));
    await succeed(alice.delete('/users/me/android_gcm_reg_id', { token: 'Token:1_x-Y' }));
    expect(await devicesOf(alice)).toEqual([]);
    for (const path of ['apns_device_token', 'android_gcm_reg_id']) {
      expect(await alice.delete(`/users/me/${path}`, { token: 'abcdef01' })).toMatchObject({
        code: 'BAD_REQUEST',
        msg: 'No device of yours has this token.',
      });
    }
  });

  test('belong to the account that registered them last, in each organization', async () => {
    const [{ alice, bob }, other] = [await realm(), await realm()];
    for (const who of [alice, other.alice, bob]) await succeed(android(who, 'phone'));
    expect([await devicesOf(alice), await devicesOf(bob), await devicesOf(other.alice)]).toEqual([
      [],
      [['fcm', 'phone', null]],
      [['fcm', 'phone', null]],
    ]);
    expect((await alice.delete('/users/me/android_gcm_reg_id', { token: 'phone' })).msg).toBe(
      'No device of yours has this token.',
    );
  });

  test('have tokens of the service’s form', async () => {
    const { alice, bot } = await realm();
    const ofApple = async (token: string, app = appid) =>
      (await alice.post('/users/me/apns_device_token', { token, appid: app })).msg;
    const ofAndroid = async (token: string) => (await android(alice, token)).msg;
    const wrongLength = 'The token is empty or too long.';
    expect(await ofApple('')).toBe(wrongLength);
    expect(await ofApple('a'.repeat(4097))).toBe(wrongLength);
    expect(await ofApple('xyz')).toBe('The token of an Apple device must be hexadecimal.');
    expect(await ofApple('ab', 'org example')).toBe('appid is not valid.');
    expect(await ofAndroid('')).toBe(wrongLength);
    expect(await ofAndroid('a'.repeat(4097))).toBe(wrongLength);
    expect(await ofAndroid('a\0b')).toBe('The token contains characters that are not allowed.');
    expect(await alice.post('/users/me/apns_device_token', { token: 'ab' })).toMatchObject({
      code: 'REQUEST_VARIABLE_MISSING',
      var_name: 'appid',
    });
    expect((await android(bot, 'a')).code).toBe('BAD_REQUEST');
    expect(await devicesOf(alice)).toEqual([]);
    expect(await ofApple('a'.repeat(4096))).toBe('');
    expect(await ofAndroid('a'.repeat(4096))).toBe('');
  });

  test('are no more than fifty: the oldest is forgotten', async () => {
    const { alice } = await realm();
    for (let number = 0; number <= 50; number += 1) await succeed(android(alice, `phone-${number}`));
    const devices = await devicesOf(alice);
    expect([devices.length, devices[0]?.[1]]).toEqual([50, 'phone-1']);
  });

  test('are forgotten with the key, the account and the organization', async () => {
    const { owner, alice, bob, carol } = await realm();
    for (const who of [alice, bob, carol])
      await succeed(android(who, `phone of ${who.id}`.replaceAll(' ', '')));
    await succeed(alice.post('/users/me/api_key/regenerate'));
    await succeed(owner.delete(`/users/${bob.id}`));
    expect([await devicesOf(alice), await devicesOf(bob), (await devicesOf(carol)).length]).toEqual([
      [],
      [],
      1,
    ]);
    await succeed(owner.post('/realm/deactivate'));
    expect(await devicesOf(carol)).toEqual([]);
  });
});

test('end-to-end encrypted notifications, which the server has not, are refused', async () => {
  const { alice } = await realm();
  const registration = { push_account_id: 1, bouncer_public_key: 'x', encrypted_push_registration: 'x' };
  for (const key of ['push_key', 'push_public_key']) {
    const params = { ...registration, token_kind: 'apns', [key]: 'x' };
    expect((await alice.post('/mobile_push/register', params)).code).toBe('PUSH_SERVICE_NOT_CONFIGURED');
  }
  const tested = await alice.post('/mobile_push/e2ee/test_notification', { push_account_id: 1 });
  expect(tested.code).toBe('NO_ACTIVE_PUSH_DEVICE');
  expect((await alice.post('/register', { fetch_event_types: ['push_device'] })).push_devices).toEqual({});
});
