import { describe, expect, test } from 'vitest';

import {
  type Json,
  type Params,
  type Person,
  createChannel,
  createGroup,
  devicesOf,
  emptyChannel,
  getWorld,
  letSpectatorsIn,
  outcomeOf,
  people,
  realm,
  recodeReactions,
  say,
  succeed,
  tell,
  uploadEmoji,
} from '../../support/index.ts';
import { heardOf, listenWith, shown } from './heard.ts';

const react = (by: Person, id: number, emoji_name = 'tada', more: Params = {}) =>
  by.post(`/messages/${id}/reactions`, { emoji_name, ...more });
const unreact = (by: Person, id: number, params: Params) => by.delete(`/messages/${id}/reactions`, params);
const reactionsOf = async (by: Person, id: number): Promise<Json[]> => (await shown(by, id)).reactions;

describe('4.14 POST /users/me/apns_device_token', () => {
  const add = async (by: Person, params: Params) =>
    outcomeOf(
      await by.post('/users/me/apns_device_token', { token: 'ab', appid: 'org.example.app', ...params }),
    );

  test.each([
    ['an empty token', { token: '' }],
    ['a token that is no hexadecimal number', { token: 'xyz' }],
    ['no app', { appid: undefined }],
    ['an empty app', { appid: '' }],
  ])('a device with %s is not registered', async (_, params) => {
    const { alice } = await realm();
    expect(await add(alice, params)).not.toBe('ok');
    expect(await devicesOf(alice)).toEqual([]);
  });

  test('a device of the greatest length of a token is registered, and a longer one is not', async () => {
    const { alice } = await realm();
    expect(await add(alice, { token: 'a'.repeat(4096) })).toBe('ok');
    expect(await add(alice, { token: 'b'.repeat(4098) })).not.toBe('ok');
    expect(await devicesOf(alice)).toHaveLength(1);
  });

  test('a device belongs to who registered it last', async () => {
    const { alice, bob } = await realm();
    for (const by of [alice, bob]) expect(await add(by, {})).toBe('ok');
    expect([await devicesOf(alice), (await devicesOf(bob)).length]).toEqual([[], 1]);
  });
});

describe('4.15 DELETE /messages/:message_id/reactions', () => {
  test('a reaction is removed by who reacted, and that of somebody else stays', async () => {
    const { alice, bob } = await realm();
    const id = await tell(alice, [bob]);
    for (const by of [alice, bob]) await succeed(react(by, id));
    await succeed(unreact(alice, id, { emoji_name: 'tada' }));
    expect(await reactionsOf(bob, id)).toMatchObject([{ user_id: bob.id }]);
    expect(outcomeOf(await unreact(alice, id, { emoji_name: 'tada' }))).toBe('REACTION_DOES_NOT_EXIST');
  });

  test('a code finds the reaction under whatever name it was added', async () => {
    const { alice, bob } = await realm();
    const id = await tell(alice, [bob]);
    await succeed(react(bob, id, 'tada'));
    await recodeReactions(alice, id, '1f389', '1f388');
    const by = { emoji_code: '1f388', reaction_type: 'unicode_emoji' };
    expect(outcomeOf(await unreact(bob, id, { emoji_name: 'renamed', ...by }))).toBe('ok');
    expect(await reactionsOf(bob, id)).toEqual([]);
  });

  test('a code that is none is a bad request, and one that nobody reacted with a missing reaction', async () => {
    const { alice, bob } = await realm();
    const id = await tell(alice, [bob]);
    const type = { reaction_type: 'unicode_emoji' };
    expect(await unreact(bob, id, { emoji_code: 'zzz', ...type })).toMatchObject({ code: 'BAD_REQUEST' });
    expect(outcomeOf(await unreact(bob, id, { emoji_code: '1f389', ...type }))).toBe(
      'REACTION_DOES_NOT_EXIST',
    );
  });

  test('a removed reaction is told to everybody who has the message, and to nobody else', async () => {
    const { alice, bob, carol } = await realm();
    const id = await tell(alice, [bob]);
    await succeed(react(bob, id));
    const [hers, others] = [await listenWith(alice, ['reaction']), await listenWith(carol, ['reaction'])];
    await succeed(unreact(bob, id, { emoji_name: 'tada' }));
    expect(await hers.hears()).toMatchObject([
      { op: 'remove', message_id: id, user_id: bob.id, emoji_name: 'tada', emoji_code: '1f389' },
    ]);
    expect(await others.hears()).toEqual([]);
  });

  test.each([
    ['unicode_emoji', '1f1e9-1f1ea', 'flag_germany'],
    ['svc_extra_emoji', 'zulip', 'zulip'],
  ])('a reaction of the type %s has the code %s', async (reaction_type, emoji_code, name) => {
    const { alice, bob } = await realm();
    const id = await tell(alice, [bob]);
    await succeed(react(bob, id, name));
    expect(await reactionsOf(alice, id)).toMatchObject([{ reaction_type, emoji_code, emoji_name: name }]);
  });

  test('a reaction with a custom emoji has the emoji’s id as its code, and is removed without its type', async () => {
    const all = await realm();
    const { alice, bob } = all;
    const emoji = await uploadEmoji(all, 'logo');
    const id = await tell(alice, [bob]);
    await succeed(react(bob, id, 'logo'));
    expect(await reactionsOf(alice, id)).toMatchObject([
      { reaction_type: 'realm_emoji', emoji_code: String(emoji) },
    ]);
    expect(outcomeOf(await unreact(bob, id, { emoji_name: 'logo' }))).toBe('ok');
  });

  test('reactions are listed in the order in which they were added', async () => {
    const { alice, bob } = await realm();
    const id = await tell(alice, [bob]);
    await succeed(react(bob, id, 'tada'));
    await succeed(react(alice, id, 'heart'));
    await succeed(react(alice, id, 'tada'));
    const order = (await reactionsOf(bob, id)).map(({ user_id, emoji_name }) => [user_id, emoji_name]);
    expect(order).toEqual([
      [bob.id, 'tada'],
      [alice.id, 'heart'],
      [alice.id, 'tada'],
    ]);
  });
});

describe('4.19 POST /user_groups/:user_group_id/subgroups', () => {
  const change = async (by: Person, id: number, params: Params) =>
    outcomeOf(await by.post(`/user_groups/${id}/subgroups`, params));

  test('members of a subgroup hold what the group holds as long as it is a subgroup', async () => {
    const { alice, bob } = await realm();
    const [outer, inner] = [await createGroup(alice, 'outer'), await createGroup(alice, 'inner', [bob])];
    const news = await createChannel(alice, 'news', [bob], { can_send_message_group: outer });
    const send = async () =>
      (await bob.post('/messages', { type: 'channel', to: news, topic: 't', content: 'x' })).result;
    expect(await send()).toBe('error');
    expect(await change(alice, outer, { add: [inner] })).toBe('ok');
    expect(await send()).toBe('success');
    expect(await change(alice, outer, { delete: [inner] })).toBe('ok');
    expect(await send()).toBe('error');
  });

  test('one subgroup is added and another removed in one request, and each is an event of its own', async () => {
    const { alice, guest } = await realm();
    const [one, two] = [await createGroup(alice, 'one'), await createGroup(alice, 'two')];
    const id = await createGroup(alice, 'group', [], { subgroups: [one] });
    const phone = await listenWith(guest, ['user_group']);
    expect(await change(alice, id, { add: [two], delete: [one] })).toBe('ok');
    expect(await phone.hears()).toMatchObject([
      { op: 'add_subgroups', group_id: id, direct_subgroup_ids: [two] },
      { op: 'remove_subgroups', group_id: id, direct_subgroup_ids: [one] },
    ]);
  });

  test('no group contains itself, neither directly nor through another', async () => {
    const { alice } = await realm();
    const inner = await createGroup(alice, 'inner');
    const outer = await createGroup(alice, 'outer', [], { subgroups: [inner] });
    expect(await change(alice, outer, { add: [outer] })).not.toBe('ok');
    expect(await change(alice, inner, { add: [outer] })).not.toBe('ok');
  });

  test('one subgroup that does not exist keeps all subgroups of a request from being added', async () => {
    const { alice } = await realm();
    const [id, inner] = [await createGroup(alice, 'group'), await createGroup(alice, 'inner')];
    expect(await change(alice, id, { add: [inner, 2_000_000_000] })).not.toBe('ok');
    expect((await alice.get(`/user_groups/${id}/subgroups`)).subgroups).toEqual([]);
  });

  test('a deactivated group still gets and loses subgroups', async () => {
    const { alice } = await realm();
    const [id, inner] = [await createGroup(alice, 'group'), await createGroup(alice, 'inner')];
    await succeed(alice.post(`/user_groups/${id}/deactivate`));
    expect(await change(alice, id, { add: [inner] })).toBe('ok');
    expect(await change(alice, id, { delete: [inner] })).toBe('ok');
  });

  test('subgroups are removed by who manages the group, and by nobody who may only add', async () => {
    const { alice, bob } = await realm();
    const inner = await createGroup(alice, 'inner');
    const id = await createGroup(alice, 'group', [], { can_add_members_group: people(bob) });
    expect(await change(bob, id, { add: [inner] })).toBe('ok');
    expect(await change(bob, id, { delete: [inner] })).not.toBe('ok');
  });
});

describe('4.20 GET /realm/linkifiers', () => {
  const make = async (by: Person, pattern: string, url_template: string): Promise<number> =>
    (await succeed(by.post('/realm/filters', { pattern, url_template }))).id;

  test('linkifiers are listed in their order, also after it was changed', async () => {
    const { admin, alice } = await realm();
    const ids = [await make(admin, 'a', 'https://ex.org/a'), await make(admin, 'b', 'https://ex.org/b')];
    const listed = async () => (await alice.get('/realm/linkifiers')).linkifiers.map(({ id }: Json) => id);
    expect(await listed()).toEqual(ids);
    await succeed(admin.patch('/realm/linkifiers', { ordered_linkifier_ids: ids.toReversed() }));
    expect(await listed()).toEqual(ids.toReversed());
  });

  test('the earlier of two linkifiers that match decides, in texts and in topics', async () => {
    const { admin, alice } = await realm();
    const news = await emptyChannel(alice, 'news');
    const long = await make(admin, 'case-(?P<n>[0-9]+)', 'https://ex.org/long/{n}');
    const short = await make(admin, 'case', 'https://ex.org/short');
    const linksOf = async () => {
      const id = await say(alice, news, 'case-1', 'case-1');
      const { content, topic_links } = await shown(alice, id, { apply_markdown: true });
      return [content.includes('ex.org/long/1'), topic_links[0].url];
    };
    expect(await linksOf()).toEqual([true, 'https://ex.org/long/1']);
    await succeed(admin.patch('/realm/linkifiers', { ordered_linkifier_ids: [short, long] }));
    expect(await linksOf()).toEqual([false, 'https://ex.org/short']);
  });

  test('every change of a linkifier is told with all of them to everybody', async () => {
    const { admin, guest } = await realm();
    const phone = await listenWith(guest, ['realm_linkifiers']);
    const id = await make(admin, 'a', 'https://ex.org/a');
    await make(admin, 'b', 'https://ex.org/b');
    await succeed(admin.delete(`/realm/filters/${id}`));
    const told = (await phone.hears()).map((event) =>
      event['realm_linkifiers'].map((one: Json) => one.pattern),
    );
    expect(told).toEqual([['a'], ['a', 'b'], ['b']]);
  });
});

describe('4.21 POST /export/realm', () => {
  test('an export is a public one unless another type is named, and no third type is taken', async () => {
    const { owner } = await realm();
    await succeed(owner.post('/export/realm'));
    await succeed(owner.post('/export/realm', { export_type: 2 }));
    expect(await owner.post('/export/realm', { export_type: 3 })).toMatchObject({ code: 'BAD_REQUEST' });
    const { exports } = await owner.get('/export/realm');
    expect(exports.map(({ export_type }: Json) => export_type).toSorted()).toEqual([1, 2]);
  });

  test('an organization with as many messages as may be exported is exported, and one with more is not', async () => {
    const { owner, alice, bob } = await realm();
    await tell(alice, [bob]);
    await tell(alice, [bob]);
    const ask = async (messages: number) => {
      const exportLimits = { perWeek: null, messages, bytes: null };
      await using node = await (await getWorld()).startApi({ exportLimits });
      return (await owner.ask('POST', '/export/realm', { export_type: 2 }, { port: node.port })).body;
    };
    expect(await ask(1)).toMatchObject({ code: 'BAD_REQUEST' });
    expect((await ask(2)).result).toBe('success');
  });

  test('an export that was asked for is heard of by administrators alone', async () => {
    const { owner, admin, alice } = await realm();
    const [hers, his] = [
      await listenWith(admin, ['realm_export']),
      await listenWith(alice, ['realm_export']),
    ];
    const { id } = await succeed(owner.post('/export/realm'));
    expect((await heardOf(hers, 'realm_export'))[0]?.['exports']).toMatchObject([{ id, pending: true }]);
    expect(await his.hears()).toEqual([]);
  });
});

describe('4.24 GET /server_settings', () => {
  const settings = async (by: Person): Promise<Json> =>
    (await by.ask('GET', '/server_settings', {}, { authorization: null })).body;

  test('public access is told of where it is permitted and there is a channel that is open to it', async () => {
    const all = await realm();
    const { owner, alice } = all;
    const isOpen = async () => (await settings(alice)).realm_web_public_access_enabled;
    await letSpectatorsIn(all);
    expect(await isOpen()).toBe(false);
    await createChannel(owner, 'world', [], { is_web_public: true });
    expect(await isOpen()).toBe(true);
    await succeed(owner.patch('/realm', { enable_spectator_access: false }));
    expect(await isOpen()).toBe(false);
  });

  test('realm_uri is realm_url, and the merge base of a server that is no fork is its version', async () => {
    const { alice } = await realm();
    const { realm_uri, realm_url, svc_merge_base, svc_version } = await settings(alice);
    expect([realm_uri, svc_merge_base]).toEqual([realm_url, svc_version]);
  });

  test('a new name of the organization is told to whoever asks without an account', async () => {
    const { owner, alice } = await realm();
    await succeed(owner.patch('/realm', { name: 'Renamed' }));
    expect((await settings(alice)).realm_name).toBe('Renamed');
  });
});
