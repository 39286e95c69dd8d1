import { describe, expect, test } from 'vitest';

import { type Json, type TestRealm, builtRealm, realm, say, subscribe } from '../support/index.ts';

const sections = ['realm_user', 'realm_bot', 'realm_user_groups', 'stream', 'subscription'];
const viewers = ['owner', 'alice', 'guest', 'bot'] as const;

const differing = ['queue_id', 'last_event_id', 'date_joined', 'date_created', 'api_key'];

/** What somebody is told at registration, with names for the numbers of users and groups. */
async function stateOf(people: TestRealm, viewer: (typeof viewers)[number]): Promise<Json> {
  const state = await people[viewer].post('/register', { fetch_event_types: sections });
  const accounts = [...state.realm_users, ...state.cross_realm_bots];
  const users = new Map<number, string>(accounts.map((one: Json) => [one.user_id, one.full_name]));
  const groups = new Map<number, string>(state.realm_user_groups.map((one: Json) => [one.id, one.name]));
  const text = JSON.stringify(state, (key, value: Json) => {
    if (differing.includes(key) || key.startsWith('avatar_url')) return undefined;
    if (key === 'members' || key === 'direct_members') return value.map((id: number) => users.get(id));
    if (key.startsWith('direct_subgroup')) return value.map((id: number) => groups.get(id));
    if (/user_id|owner_id|creator_id/.test(key)) return users.get(value) ?? value;
    return typeof value === 'number' ? (groups.get(value) ?? value) : value;
  });
  return JSON.parse(text.replaceAll(people.realm.name, 'name'));
}

describe('a realm that is copied', () => {
  test.each(viewers)('is what a realm that is built is, to its %s', async (viewer) => {
    expect(await stateOf(await realm(), viewer)).toEqual(await stateOf(await builtRealm(), viewer));
  });

  test('shares nothing with another copy', async () => {
    const [here, there] = [await realm(), await realm()];
    await subscribe(here.alice, 'news');
    await say(here.alice, 'news');
    const phone = await there.alice.listen();
    await here.join({ name: 'Newcomer' });
    expect(await phone.hears()).toEqual([]);
    const { members } = await there.alice.get('/users');
    expect(members.map((one: Json) => one.full_name)).not.toContain('Newcomer');
    expect(here.alice.apiKey).not.toBe(there.alice.apiKey);
  });
});
