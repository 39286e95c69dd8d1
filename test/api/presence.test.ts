import { describe, expect, test } from 'vitest';

import {
  type Json,
  type Listener,
  type Params,
  type Person,
  type TestRealm,
  done,
  lastActiveDayOf,
  makeAccountOlder,
  realm,
  refused,
  setLastSeen,
  succeed,
  tell,
  whileWritingPresence,
} from '../support/index.ts';

const now = () => Date.now() / 1000;
const beganS = now();
/** Not before these tests began, nor later than now, in seconds. */
const lately = expect.toSatisfy((seconds: number) => seconds > beganS - 1 && seconds < now() + 1);
const capable = (capabilities: Params) => ({
  client_capabilities: { notification_settings_null: true, ...capabilities },
});

/** Somebody who listens, at a node that follows the realm by now. */
async function listen(person: Person, options: Params = {}): Promise<Listener> {
  const listener = await person.listen({ event_types: ['presence', 'typing', 'user_settings'], ...options });
  await listener.hears();
  return listener;
}

const ping = (person: Person, params: Params = {}): Promise<Json> =>
  person.post('/users/me/presence', { status: 'active', ...params });

/** That nothing came before something that surely comes. */
async function hearsNothing(from: Person, person: Person, listener: Listener): Promise<void> {
  await from.post('/typing', { op: 'stop', to: [person.id] });
  expect(await listener.waits()).toMatchObject([{ type: 'typing' }]);
}

describe('POST /users/me/presence', () => {
  test('tells when everyone was here, as the client reads it', async () => {
    const { alice, bob } = await realm();
    expect(await ping(alice)).toEqual({
      ...done,
      presences: {
        [alice.email]: {
          aggregated: { client: 'website', status: 'active', timestamp: lately },
          website: { client: 'website', status: 'active', timestamp: lately, pushable: false },
        },
      },
      server_timestamp: lately,
      presence_last_update_id: expect.any(Number),
    });
    const slim = { active_timestamp: lately, idle_timestamp: lately };
    const reply = await ping(bob, { slim_presence: true });
    expect(reply.presences).toEqual({ [alice.id]: slim, [bob.id]: slim });
    expect((await ping(bob, { last_update_id: -1 })).presences).toEqual(reply.presences);
    expect(await ping(bob, { ping_only: true })).toEqual(done);
  });

  test('tells only what is new to a client that says what it knows', async () => {
    const { alice, bob } = await realm();
    const { presence_last_update_id: first } = await ping(alice, { last_update_id: -1 });
    const none = await ping(alice, { last_update_id: first });
    expect(none).toMatchObject({ presences: {}, presence_last_update_id: first });
    await ping(bob);
    const { presences, presence_last_update_id: second } = await ping(alice, { last_update_id: first });
    expect(Object.keys(presences)).toEqual([String(bob.id)]);
    expect(second).toBeGreaterThan(first);
    const ahead = await ping(alice, { last_update_id: Number.MAX_SAFE_INTEGER });
    expect(ahead).toMatchObject({ presences: {}, presence_last_update_id: Number.MAX_SAFE_INTEGER });
  });

  test('notes a sign of life at most every 55 seconds', async () => {
    const { alice } = await realm();
    const { presence_last_update_id: first } = await ping(alice, { last_update_id: -1 });
    for (const [seconds, isWritten] of [
      [50, false],
      [60, true],
    ] as const) {
      await setLastSeen(alice, seconds, seconds);
      const { presence_last_update_id: id } = await ping(alice, { last_update_id: first });
      expect(id > first).toBe(isWritten);
    }
  });

  test('knows who is connected but not there', async () => {
    const { alice, bob } = await realm();
    const of = async (person: Person) => (await ping(bob)).presences[person.email].website.status;
    // Joining counts as having been there.
    await makeAccountOlder(alice, 1);
    expect((await ping(alice, { status: 'idle' })).presences[alice.email].website.status).toBe('idle');
    await ping(alice);
    expect(await of(alice)).toBe('active');
    await ping(alice, { status: 'idle' });
    expect(await of(alice)).toBe('active');
    await setLastSeen(alice, 300, 60);
    await ping(alice, { status: 'idle' });
    expect(await of(alice)).toBe('idle');
    await ping(alice);
    expect(await of(alice)).toBe('active');
  });

  test('tells of the last days only, as many as are wanted', async () => {
    const { alice, bob, carol } = await realm();
    for (const person of [alice, bob]) await ping(person);
    const days = (count: number) => 86_400 * count;
    await setLastSeen(alice, days(13), days(13));
    await setLastSeen(bob, days(15), days(15));
    const seen = async (params: Params) =>
      Object.keys((await ping(carol, { slim_presence: true, ...params })).presences).map(Number);
    expect(await seen({})).toEqual([alice.id, carol.id]);
    expect(await seen({ history_limit_days: 20 })).toEqual([alice.id, bob.id, carol.id]);
    expect(await seen({ history_limit_days: 1, last_update_id: -1 })).toEqual([carol.id]);
    expect(await ping(carol, { history_limit_days: 0, last_update_id: -1 })).toMatchObject({
      presences: {},
      presence_last_update_id: -1,
    });
  });

  test('never leaves a client behind that asks for what is new, however long somebody takes to write', async () => {
    const { alice, bob, carol } = await realm();
    const { presence_last_update_id: first } = await ping(alice, { last_update_id: -1 });
    let quick: Promise<Json> | undefined;
    await whileWritingPresence(bob, async ({ untilSomebodyWaits }) => {
      quick = ping(carol);
      await untilSomebodyWaits();
      const asked = await ping(alice, { last_update_id: first });
      expect(asked).toMatchObject({ presences: {}, presence_last_update_id: first });
    });
    await quick;
    const { presences } = await ping(alice, { last_update_id: first });
    expect(Object.keys(presences).map(Number)).toEqual([bob.id, carol.id]);
  });

  test('is for people, of the organization alone', async () => {
    const { alice, bot, guest } = await realm();
    const stranger = (await realm()).alice;
    expect(await ping(bot)).toEqual(refused('Bots cannot use this endpoint.'));
    for (const person of [stranger, guest]) expect(await ping(person)).toMatchObject(done);
    expect(Object.keys((await ping(alice)).presences)).toEqual([alice.email, guest.email].sort());
    expect(await ping(alice, { status: 'asleep' })).toMatchObject({ code: 'BAD_REQUEST' });
    expect(await alice.post('/users/me/presence')).toMatchObject({ code: 'REQUEST_VARIABLE_MISSING' });
    expect(await ping(alice, { last_update_id: -2 })).toMatchObject({ code: 'BAD_REQUEST' });
  });

  test('leaves out who is gone, and tells nothing where presence is off', async () => {
    const { owner, alice, bob } = await realm();
    await ping(bob);
    await succeed(owner.delete(`/users/${bob.id}`));
    expect(Object.keys((await ping(alice)).presences)).toEqual([alice.email]);
    await succeed(owner.patch('/realm', { presence_disabled: true }));
    expect(await ping(alice)).toMatchObject({ presences: {}, presence_last_update_id: -1 });
    expect((await alice.get('/realm/presence')).presences).toEqual({});
  });

  test('notes the day of whoever pings, registers, sends or acts', async () => {
    const { alice, bob, carol, guest, moderator } = await realm();
    await ping(alice);
    await bob.listen();
    await tell(carol, [alice]);
    await succeed(guest.post('/users/me/alert_words', { alert_words: ['tea'] }));
    const today = new Date().toISOString().slice(0, 10);
    for (const person of [alice, bob, carol, guest]) expect(await lastActiveDayOf(person)).toBe(today);
    expect(await lastActiveDayOf(moderator)).toBeNull();
  });
});

describe('who comes online', () => {
  test('is announced to everyone, in the form that their clients read', async () => {
    const { alice, bob } = await realm();
    const listeners = await Promise.all([
      listen(bob),
      listen(bob, { slim_presence: true }),
      listen(bob, { slim_presence: true, ...capable({ simplified_presence_events: true }) }),
      listen(alice),
    ]);
    await ping(alice, { ping_only: true });
    const [legacy, slim, modern, own] = await Promise.all(listeners.map((listener) => listener.waits()));
    const presence = {
      id: expect.any(Number),
      type: 'presence',
      user_id: alice.id,
      server_timestamp: lately,
      presence: { website: { client: 'website', status: 'active', timestamp: lately, pushable: false } },
    };
    expect(legacy).toEqual([{ ...presence, email: alice.email }]);
    expect(own).toEqual(legacy);
    expect(slim).toEqual([presence]);
    expect(modern).toEqual([
      {
        id: expect.any(Number),
        type: 'presence',
        presences: { [alice.id]: { active_timestamp: lately, idle_timestamp: lately } },
      },
    ]);
  });

  test('is not announced with every sign of life', async () => {
    const { alice, bob, carol } = await realm();
    const phone = await listen(bob);
    await ping(alice, { status: 'idle' });
    await hearsNothing(carol, bob, phone);
    await ping(alice);
    expect(await phone.waits()).toMatchObject([{ type: 'presence', user_id: alice.id }]);
    await setLastSeen(alice, 120, 60);
    await ping(alice);
    await hearsNothing(carol, bob, phone);
    await setLastSeen(alice, 140, 60);
    await ping(alice, { status: 'idle' });
    await hearsNothing(carol, bob, phone);
    await Promise.all([ping(alice), ping(alice), ping(alice)]);
    expect(await phone.waits()).toMatchObject([{ type: 'presence', user_id: alice.id }]);
    await hearsNothing(carol, bob, phone);
  });

  test('is not announced where more than a hundred could hear it', async () => {
    const { alice, bob, carol, join, bot }: TestRealm = await realm();
    expect(bot.role).toBe(400);
    for (let count = 8; count < 100; count += 1) await join({ name: `Number ${count}` });
    const phone = await listen(bob);
    await ping(alice);
    expect(await phone.waits()).toMatchObject([{ type: 'presence', user_id: alice.id }]);
    await join({ name: 'One too many' });
    await setLastSeen(alice, 300, 300);
    await ping(alice);
    await hearsNothing(carol, bob, phone);
  });
});

describe('presence_enabled', () => {
  const set = (person: Person, presence_enabled: boolean) => person.patch('/settings', { presence_enabled });

  test('hides at once from everyone, after the event of the setting, and shows again', async () => {
    const { alice, bob } = await realm();
    const [phone, own] = [await listen(bob), await listen(alice, capable({ user_settings_object: true }))];
    await ping(alice);
    await phone.waits();
    await own.waits();

    expect(await set(alice, false)).toMatchObject(done);
    const hidden = { type: 'presence', user_id: alice.id };
    const [event] = await phone.waits();
    expect(event).toMatchObject(hidden);
    expect(event?.['server_timestamp'] - event?.['presence'].website.timestamp).toBeGreaterThan(200);
    const told = [...(await own.waits()), ...(await own.hears())];
    expect(told).toMatchObject([{ type: 'user_settings', property: 'presence_enabled' }, hidden]);

    await ping(alice);
    const { presence } = await bob.get(`/users/${alice.id}/presence`);
    expect(presence.aggregated.status).toBe('offline');

    await set(alice, true);
    expect(await phone.waits()).toMatchObject([{ ...hidden, presence: { website: { status: 'active' } } }]);
  });

  test('tells nothing of who was never there', async () => {
    const { alice, bob, carol } = await realm();
    const phone = await listen(bob);
    await set(alice, false);
    await ping(alice);
    await hearsNothing(carol, bob, phone);
    expect(await bob.get(`/users/${alice.id}/presence`)).toEqual(
      refused(`There is no presence for ${alice.id}.`),
    );
    expect((await bob.get('/realm/presence')).presences).toEqual({});
  });
});

describe('GET /users/{user_id_or_email}/presence', () => {
  const get = (by: Person, which: number | string): Promise<Json> => by.get(`/users/${which}/presence`);

  test('tells when someone was here, by id and by address', async () => {
    const { realm: home, alice, bob, guest } = await realm();
    await ping(alice);
    const part = { status: 'active', timestamp: lately };
    for (const which of [alice.id, alice.email, alice.email.toUpperCase(), `user${alice.id}@${home.host}`]) {
      for (const person of [alice, bob, guest]) {
        expect(await get(person, which)).toEqual({ ...done, presence: { aggregated: part, website: part } });
      }
    }
  });

  test('calls those offline who have not been here for a while', async () => {
    const { alice, bob } = await realm();
    await ping(alice);
    const statuses = async () => {
      const { aggregated, website } = (await get(bob, alice.id)).presence;
      return [aggregated.status, website.status];
    };
    await setLastSeen(alice, 190, 190);
    expect(await statuses()).toEqual(['active', 'active']);
    await setLastSeen(alice, 210, 210);
    expect(await statuses()).toEqual(['offline', 'active']);
    await setLastSeen(alice, 900, 210);
    expect(await statuses()).toEqual(['offline', 'idle']);
  });

  test('is refused of bots, of those who are gone, of strangers and of those who were never here', async () => {
    const { owner, alice, bob, carol, bot } = await realm();
    const stranger = (await realm()).alice;
    await ping(stranger);
    await ping(carol);
    await succeed(owner.delete(`/users/${carol.id}`));
    expect(await get(alice, bot.id)).toEqual(refused('A bot has no presence.'));
    for (const which of [
      carol.id,
      stranger.id,
      stranger.email,
      0,
      '9'.repeat(30),
      'nobody@example.com',
      'me',
    ]) {
      expect(await get(alice, which), String(which)).toEqual(refused('This user does not exist.'));
    }
    expect(await get(alice, bob.email)).toEqual(refused(`There is no presence for ${bob.email}.`));
  });
});

test('GET /realm/presence tells of everyone, by address', async () => {
  const { alice, bob, guest } = await realm();
  for (const person of [alice, guest]) await ping(person);
  const part = { client: 'website', status: 'active', timestamp: lately };
  const one = { aggregated: part, website: { ...part, pushable: false } };
  for (const person of [bob, guest]) {
    expect(await person.get('/realm/presence')).toEqual({
      ...done,
      presences: { [alice.email]: one, [guest.email]: one },
      server_timestamp: lately,
    });
  }
});

describe('POST /register', () => {
  const register = (person: Person, params: Params = {}): Promise<Json> =>
    person.post('/register', { fetch_event_types: ['presence'], ...params });

  test('tells when everyone was here, in the form that the client reads', async () => {
    const { alice, bob } = await realm();
    expect(await register(bob)).toMatchObject({ presences: {}, presence_last_update_id: -1 });
    const { presence_last_update_id } = await ping(alice);
    const slim = { [alice.id]: { active_timestamp: lately, idle_timestamp: lately } };
    expect(await register(bob)).toMatchObject({
      presences: { [alice.email]: { aggregated: { status: 'active' }, website: { pushable: false } } },
      presence_last_update_id,
      server_timestamp: lately,
    });
    expect((await register(bob, { slim_presence: true })).presences).toEqual(slim);
    expect((await register(bob, capable({ simplified_presence_events: true }))).presences).toEqual(slim);
    expect(await register(bob, { presence_history_limit_days: 0 })).toMatchObject({ presences: {} });
    await setLastSeen(alice, 86_400 * 3, 86_400 * 3);
    expect((await register(bob, { presence_history_limit_days: 2 })).presences).toEqual({});
    expect(Object.keys((await register(bob)).presences)).toEqual([alice.email]);
  });
});
