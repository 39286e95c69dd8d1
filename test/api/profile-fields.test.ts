import { describe, expect, test } from 'vitest';

import { type Json, type Person, type TestRealm, realm } from '../support/index.ts';

const make = (by: Person, name: string, field_type: number, more: object = {}): Promise<Json> =>
  by.post('/realm/profile_fields', { name, field_type, ...more });

const makeField = async (by: Person, name: string, type: number, more: object = {}): Promise<number> =>
  (await make(by, name, type, more)).id;

const fill = (by: Person, id: number, value: unknown): Promise<Json> =>
  by.patch('/users/me/profile_data', { data: [{ id, value }] });

const profileOf = async (by: Person, of: Person): Promise<Json> =>
  (await by.get(`/users/${of.id}`, { include_custom_profile_fields: true })).user.profile_data;

const options = { t: { text: 'tea', order: '1' }, c: { text: 'coffee', order: '2' } };

describe('the fields of an organization', () => {
  test('are made, changed, put in order and removed, and everyone is told all of them', async () => {
    const { admin, guest } = await realm();
    const phone = await guest.listen({ event_types: ['custom_profile_fields'] });

    const about = await makeField(admin, ' About ', 2, { hint: ' who are you? ', required: true });
    const drink = await makeField(admin, 'Drink', 3, { field_data: options });
    await admin.patch(`/realm/profile_fields/${drink}`, {
      name: 'Beverage',
      editable_by_user: false,
      display_in_profile_summary: true,
    });
    await admin.patch('/realm/profile_fields', { order: [drink, about] });
    await admin.patch(`/realm/profile_fields/${about}`, { name: 'About' });

    const fields = [
      {
        id: drink,
        type: 3,
        name: 'Beverage',
        hint: '',
        field_data: JSON.stringify(options),
        order: 0,
        required: false,
        editable_by_user: false,
        display_in_profile_summary: true,
      },
      {
        id: about,
        type: 2,
        name: 'About',
        hint: 'who are you?',
        field_data: '',
        order: 1,
        required: true,
        editable_by_user: true,
      },
    ];
    expect((await guest.get('/realm/profile_fields')).custom_fields).toEqual(fields);
    const { registered } = await guest.listen({ fetch_event_types: ['custom_profile_fields'] });
    expect(registered).toMatchObject({
      custom_profile_fields: fields,
      custom_profile_field_types: { SHORT_TEXT: { id: 1 }, PRONOUNS: { id: 8 } },
    });
    await admin.delete(`/realm/profile_fields/${drink}`);
    const told = (await phone.hears()).map((event) => event['fields'].map(({ id }: Json) => id));
    expect(told).toEqual([[about], [about, drink], [about, drink], [drink, about], [about]]);
  });

  test('are refused where they are nothing that can be filled in', async () => {
    const { admin } = await realm();
    const custom = (url_pattern?: string) => ({ field_data: { subtype: 'custom', url_pattern } });
    await make(admin, 'İf', 1);
    await make(admin, 'About', 1);
    const refusals: [string, Promise<Json>][] = [
      ['There is already a profile field with this name.', make(admin, 'ABOUT', 1)],
      // Small, this is the same.
      ['There is already a profile field with this name.', make(admin, 'if', 1)],
      ['Enter a name for this field.', make(admin, ' ', 1)],
      ['name can have at most 40 characters.', make(admin, 'x'.repeat(41), 1)],
      ['hint can have at most 80 characters.', make(admin, 'a', 1, { hint: 'x'.repeat(81) })],
      ['There is no such type of profile field.', make(admin, 'a', 9)],
      ['field_data must be an object of options.', make(admin, 'a', 3)],
      ['A list of options needs at least one option.', make(admin, 'a', 3, { field_data: {} })],
      [
        'Two options cannot have the same text.',
        make(admin, 'a', 3, { field_data: { a: options.t, b: options.t } }),
      ],
      [
        'field_data must describe an external account.',
        make(admin, 'a', 7, { field_data: { url_pattern: 'x' } }),
      ],
      [
        'There is no such type of external account.',
        make(admin, 'a', 7, { field_data: { subtype: 'toString' } }),
      ],
      ['A custom external account needs a URL pattern.', make(admin, 'a', 7, custom())],
      ['The URL pattern needs %(username)s exactly once.', make(admin, 'a', 7, custom('https://a.example/'))],
      [
        'The URL pattern needs %(username)s exactly once.',
        make(admin, 'a', 7, custom('javascript:%(username)s')),
      ],
      [
        'Fields of this type cannot be shown in the profile summary.',
        make(admin, 'a', 2, { display_in_profile_summary: true }),
      ],
    ];
    for (const [msg, reply] of refusals) expect(await reply).toMatchObject({ code: 'BAD_REQUEST', msg });
    const { custom_fields } = await admin.get('/realm/profile_fields');
    expect(custom_fields).toHaveLength(2);
    const [first] = custom_fields;
    expect(await admin.patch(`/realm/profile_fields/${first.id}`, { name: 'ABOUT' })).toMatchObject({
      msg: 'There is already a profile field with this name.',
    });
    expect(await admin.patch(`/realm/profile_fields/${first.id}`, { name: 'İF' })).toMatchObject({
      result: 'success',
    });
  });

  test('have room for two in the summary', async () => {
    const { admin } = await realm();
    const msg = 'The profile summary can show at most 2 custom profile fields.';
    await make(admin, 'a', 1, { display_in_profile_summary: true });
    const second = await makeField(admin, 'b', 1, { display_in_profile_summary: true });
    const third = await makeField(admin, 'c', 1);
    const path = `/realm/profile_fields/${third}`;
    expect(await admin.patch(path, { display_in_profile_summary: true })).toMatchObject({ msg });
    await admin.patch(`/realm/profile_fields/${second}`, { display_in_profile_summary: false });
    expect(await admin.patch(path, { display_in_profile_summary: true })).toMatchObject({
      result: 'success',
    });
  });

  test('fields that are known by their type have the same names everywhere', async () => {
    const { admin } = await realm();
    const id = await makeField(admin, '', 7, { field_data: { subtype: 'github' } });
    const { custom_fields } = await admin.get('/realm/profile_fields');
    const { realm_default_external_accounts: accounts } = await admin.post('/register', {
      fetch_event_types: ['realm'],
    });
    expect(custom_fields[0]).toMatchObject({ name: accounts.github.name, hint: accounts.github.hint });
    expect(await admin.patch(`/realm/profile_fields/${id}`, { name: 'Mine' })).toMatchObject({
      msg: 'The settings of this field are fixed.',
    });
    expect(await admin.patch(`/realm/profile_fields/${id}`, { required: true })).toMatchObject({
      result: 'success',
    });
  });

  test('are the organization’s own, and administrators’ to change', async () => {
    const { admin, owner, moderator, alice, guest } = await realm();
    const { owner: stranger } = await realm();
    const id = await makeField(owner, 'About', 1);
    const path = `/realm/profile_fields/${id}`;
    for (const by of [moderator, alice, guest]) {
      for (const reply of [
        make(by, 'Mine', 1),
        by.patch(path, { name: 'Mine' }),
        by.patch('/realm/profile_fields', { order: [id] }),
        by.delete(path),
      ]) {
        expect(await reply).toMatchObject({ code: 'UNAUTHORIZED_PRINCIPAL' });
      }
    }
    const msg = `There is no profile field with the id ${id}.`;
    expect(await stranger.patch(path, { name: 'Mine' })).toMatchObject({ msg });
    expect(await stranger.delete(path)).toMatchObject({ msg });
    expect(await fill(stranger, id, 'x')).toMatchObject({ msg });
    expect(await stranger.patch('/realm/profile_fields', { order: [id] })).toMatchObject({
      msg: 'List every id exactly once.',
    });
    expect(await admin.delete(path)).toMatchObject({ result: 'success' });
    expect(await admin.delete(path)).toMatchObject({ msg });
  });
});

describe('profiles', () => {
  test('are filled in and cleared, and those who see the user are told of each field', async () => {
    const { admin, alice, bob } = await realm();
    const about = await makeField(admin, 'About', 2);
    const friends = await makeField(admin, 'Friends', 6);
    const phone = await bob.listen({ event_types: ['realm_user'] });

    await alice.patch('/users/me/profile_data', {
      data: [
        { id: about, value: 'one\n\n<two>' },
        { id: friends, value: [bob.id] },
      ],
    });
    await fill(alice, friends, [bob.id]);
    const rendered = { value: 'one\n\n<two>', rendered_value: '<p>one</p>\n<p>&lt;two&gt;</p>' };
    const profile = { [about]: rendered, [friends]: { value: `[${bob.id}]` } };
    expect(await profileOf(bob, alice)).toEqual(profile);
    expect((await alice.get('/users/me')).profile_data).toEqual(profile);
    const { members } = await bob.get('/users', { include_custom_profile_fields: true });
    expect(members.find(({ user_id }: Json) => user_id === alice.id).profile_data).toEqual(profile);
    expect(members.find(({ user_id }: Json) => user_id === bob.id).profile_data).toEqual({});
    const { realm_users } = await bob.post('/register', { fetch_event_types: ['realm_user'] });
    expect(realm_users.find(({ user_id }: Json) => user_id === alice.id).profile_data).toEqual(profile);

    await alice.delete('/users/me/profile_data', { data: [about] });
    await alice.delete('/users/me/profile_data', { data: [about] });
    await fill(alice, friends, []);
    expect(await profileOf(bob, alice)).toEqual({});
    expect((await phone.hears()).map(({ person }) => person)).toEqual([
      { user_id: alice.id, custom_profile_field: { id: about, ...rendered } },
      { user_id: alice.id, custom_profile_field: { id: friends, value: `[${bob.id}]` } },
      { user_id: alice.id, custom_profile_field: { id: about, value: null } },
      { user_id: alice.id, custom_profile_field: { id: friends, value: null } },
    ]);
  });

  test('lose what was chosen where the option is there no more, and what was said in a field that is gone', async () => {
    const { admin, alice, bob } = await realm();
    const drink = await makeField(admin, 'Drink', 3, { field_data: options });
    await fill(alice, drink, 't');
    await fill(bob, drink, 'c');
    const phone = await bob.listen({ event_types: ['realm_user'] });
    await admin.patch(`/realm/profile_fields/${drink}`, { field_data: { c: options.c } });
    expect((await phone.hears()).map(({ person }) => person)).toEqual([
      { user_id: alice.id, custom_profile_field: { id: drink, value: null } },
    ]);
    expect(await profileOf(bob, alice)).toEqual({});
    expect(await profileOf(alice, bob)).toEqual({ [drink]: { value: 'c' } });
    await admin.delete(`/realm/profile_fields/${drink}`);
    expect(await profileOf(alice, bob)).toEqual({});
  });

  type Wrong = (people: TestRealm & { gone: Person }) => unknown;
  test.each<[string, number, unknown, Wrong, string]>([
    ['short text', 1, 'ü'.repeat(50), () => 'x'.repeat(51), 'F can have at most 50 characters.'],
    ['long text', 2, 'x'.repeat(500), () => 'x'.repeat(501), 'F can have at most 500 characters.'],
    ['text', 1, 'x', () => [1], 'F must be a string.'],
    ['an option', 3, 't', () => 'toString', "'toString' is not an option of 'F'."],
    ['a date', 4, '2024-02-29', () => '2023-02-29', 'F must be a date.'],
    ['a link', 5, 'https://a.example/b', () => 'javascript:alert(1)', 'F must be a URL.'],
    ['users', 6, [], () => '[1]', 'F must be a list.'],
    ['users of nowhere', 6, [], () => [2_147_483_648], 'There is no user with the id 2147483648.'],
    ['bots', 6, [], ({ bot }) => [bot.id], 'is a bot'],
    ['who has left', 6, [], ({ gone }) => [gone.id], 'is deactivated'],
    ['an account', 7, 'name', () => 'x'.repeat(51), 'F can have at most 50 characters.'],
    ['pronouns', 8, 'she', () => 'x'.repeat(51), 'F can have at most 50 characters.'],
  ])('hold %s as the field asks', async (_, type, right, wrong, msg) => {
    const people = await realm();
    const { admin, alice, join } = people;
    const gone = await join({ name: 'Gone' });
    await admin.delete(`/users/${gone.id}`);
    const account = { subtype: 'custom', url_pattern: 'https://a.example/%(username)s' };
    const field_data = type === 3 ? options : account;
    const id = await makeField(admin, 'F', type, { field_data });
    expect(await fill(alice, id, right)).toMatchObject({ result: 'success' });
    const refusal = { code: 'BAD_REQUEST', msg: expect.stringContaining(msg) };
    const value = wrong({ ...people, gone });
    expect(await fill(alice, id, value)).toMatchObject(refusal);
    expect(await admin.patch(`/users/${alice.id}`, { profile_data: [{ id, value }] })).toMatchObject(refusal);
  });

  test('have fields that only administrators fill in, their own and others’', async () => {
    const { admin, moderator, alice, bot } = await realm();
    const id = await makeField(admin, 'Team', 1, { editable_by_user: false });
    const profile_data = [{ id, value: 'red' }];
    const msg = 'Only administrators can change this field.';
    for (const by of [moderator, alice]) {
      expect(await fill(by, id, 'blue')).toMatchObject({ code: 'BAD_REQUEST', msg });
      expect(await by.delete('/users/me/profile_data', { data: [id] })).toMatchObject({ msg });
    }
    expect(await fill(admin, id, 'blue')).toMatchObject({ result: 'success' });
    expect(await admin.patch(`/users/${alice.id}`, { profile_data })).toMatchObject({ result: 'success' });
    expect(await profileOf(moderator, alice)).toMatchObject({ [id]: { value: 'red' } });
    expect(await moderator.patch(`/users/${alice.id}`, { profile_data })).toMatchObject({
      code: 'UNAUTHORIZED_PRINCIPAL',
    });
    expect(await admin.patch(`/users/${bot.id}`, { profile_data })).toMatchObject({ code: 'BAD_REQUEST' });
    expect(await fill(bot, id, 'x')).toMatchObject({ code: 'BAD_REQUEST' });
    expect(await fill(alice, 2_147_483_648, 'x')).toMatchObject({
      msg: 'There is no profile field with the id 2147483648.',
    });
  });

  test('change with an account, or neither does', async () => {
    const { admin, alice } = await realm();
    const wrong = { full_name: 'Alina', profile_data: [{ id: 0, value: 'x' }] };
    expect(await admin.patch(`/users/${alice.id}`, wrong)).toMatchObject({
      msg: 'There is no profile field with the id 0.',
    });
    expect((await alice.get('/users/me')).full_name).toBe('Alice');
  });

  test('are left alone by changes that come at the same moment', async () => {
    const { admin, alice, bob } = await realm();
    const [one, two] = [
      await makeField(admin, 'One', 1),
      await makeField(admin, 'Two', 3, { field_data: options }),
    ];
    const replies = await Promise.all([
      ...Array.from({ length: 6 }, (_, turn) => fill(turn % 2 === 0 ? alice : bob, one, `${turn}`)),
      fill(alice, two, 't'),
      admin.patch('/realm/profile_fields', { order: [two, one] }),
      admin.patch(`/realm/profile_fields/${two}`, { field_data: { c: options.c } }),
      admin.patch(`/users/${alice.id}`, { profile_data: [{ id: one, value: 'admin' }] }),
      make(admin, 'Three', 1),
      make(admin, 'THREE', 1),
    ]);
    const refused = replies.filter(({ result }) => result !== 'success').map(({ code }) => code);
    expect(new Set(refused)).toEqual(new Set(['BAD_REQUEST']));
    const { [two]: chosen } = await profileOf(bob, alice);
    expect(chosen).toBeUndefined();
  });
});
