import { realmGroupRows, realmSettingRows } from '@parley/protocol';

import {
  type Json,
  type Person,
  createChannel,
  joinByService,
  permit,
  picture,
  runRecurring,
  subscribe,
  succeed,
  uploadEmoji,
} from '../../support/index.ts';
import { type Actions, type Exercised, inNewRealm } from './action.ts';
import { otherSettings } from './settings.ts';

/** What holds for the whole organization. */
export const actions: Actions = {
  async 'changing every setting of the organization'({ owner, alice }) {
    await subscribe(owner, 'news', [owner, alice]);
    await subscribe(owner, 'secret', [owner], { invite_only: true });
    const { streams } = await owner.get('/streams');
    const idOf = (channel: string): number => streams.find(({ name }: Json) => name === channel).stream_id;
    const settings = Object.fromEntries(
      realmSettingRows
        .filter(([, { refused }]) => !refused)
        .map(([name, row]) => [name, otherRealmValue(row, idOf)]),
    );
    return async () => {
      await succeed(owner.patch('/realm', { ...settings, name: 'Renamed', description: 'All is new' }));
      await succeed(owner.patch('/realm', { message_content_edit_limit_seconds: '"unlimited"' }));
    };
  },

  async 'changing every permission of the organization'({ owner, alice }) {
    const { realm_user_groups: groups } = await owner.post('/register', {
      fetch_event_types: ['realm_user_groups'],
    });
    const idOf = (name: string): number => groups.find((group: Json) => group.name === name).id;
    return async () => {
      for (const [name, { systemGroups, default: present }] of realmGroupRows) {
        const other = systemGroups?.find((group) => group !== present);
        // One that only a single group may hold stays with it.
        if (systemGroups && !other) continue;
        const to = other
          ? idOf(other)
          : { direct_members: [alice.id], direct_subgroups: [idOf('role:moderators')] };
        await succeed(owner.patch('/realm', { [name]: { new: to } }));
      }
    };
  },

  'changing what new accounts start with': inNewRealm(async ({ admin, join }) => {
    const { email_address_visibility, ...settings } = otherSettings(({ isPersonal }) => !isPersonal);
    return async () => {
      await succeed(admin.patch('/realm/user_settings_defaults', settings));
      await succeed(admin.patch('/realm/user_settings_defaults', { email_address_visibility }));
      await join({ name: 'Newcomer' });
    };
  }),

  async 'beginning and ending a waiting period'(people) {
    const { owner } = people;
    const id = await createChannel(owner, 'for full members', [owner], { invite_only: true });
    await permit(people, 'can_subscribe_group', 'role:fullmembers', id);
    return async () => {
      await succeed(owner.patch('/realm', { waiting_period_threshold: 30 }));
      await people.join({ name: 'Waiting' });
      const inTenDays = { clock: { nowMs: () => Date.now() + 10 * 86_400_000 } };
      await succeed(owner.patch('/realm', { waiting_period_threshold: 10 }));
      await runRecurring('full-members', inTenDays);
      await succeed(owner.patch('/realm', { waiting_period_threshold: 5 }));
    };
  },

  async 'new pictures of the organization, and none again'({ owner, admin }) {
    const file = { name: 'a.png', content: picture, type: 'image/png' };
    const choose = (path: string) => succeed(owner.upload(path, [file]).then(({ body }) => body));
    await choose('/realm/logo?night=true');
    return async () => {
      await choose('/realm/icon');
      await choose('/realm/logo?night=false');
      await succeed(admin.delete('/realm/logo', { night: true }));
    };
  },

  async 'trying the text that greets newcomers'({ admin }) {
    const text = { welcome_message_custom_text: 'Tea is at five.' };
    return () => succeed(admin.post('/realm/test_welcome_bot_custom_message', text));
  },

  async 'adding custom emoji'({ alice, bob }) {
    const files = [{ name: 'a.png', content: picture, type: 'image/png' }];
    const add = (by: Person, name: string) =>
      succeed(by.upload(`/realm/emoji/${name}`, files).then(({ body }) => body));
    return () => Promise.all([add(alice, 'our_one'), add(bob, 'our_two')]);
  },

  async 'ending the use of custom emoji'(people) {
    const { alice, admin } = people;
    await uploadEmoji(people, 'one');
    await uploadEmoji(people, 'two');
    await uploadEmoji(people, 'three');
    return () =>
      Promise.all([succeed(alice.delete('/realm/emoji/one')), succeed(admin.delete('/realm/emoji/two'))]);
  },

  'choosing the channels of newcomers': inNewRealm(async ({ owner, admin, alice, join }) => {
    const [one, two] = [await createChannel(alice, 'one'), await createChannel(alice, 'two')];
    return async () => {
      await succeed(admin.post('/default_streams', { stream_id: one }));
      await succeed(owner.post('/default_streams', { stream_id: two }));
      await succeed(admin.delete('/default_streams', { stream_id: one }));
      await join({ name: 'Newcomer' });
      await join({ name: 'Visitor', role: 600 });
    };
  }),

  'two administrators choosing channels for newcomers at once': inNewRealm(
    async ({ owner, admin, alice }) => {
      const [one, two] = [await createChannel(alice, 'one'), await createChannel(alice, 'two')];
      return () =>
        Promise.all([
          succeed(admin.post('/default_streams', { stream_id: one })),
          succeed(owner.post('/default_streams', { stream_id: two })),
        ]);
    },
  ),

  'naming sets of channels for newcomers': inNewRealm(async ({ owner, admin, alice }) => {
    for (const name of ['one', 'two', 'three']) await createChannel(alice, name);
    const named = async (name: string) =>
      (
        await admin.post('/register', { fetch_event_types: ['default_stream_groups'] })
      ).realm_default_stream_groups.find((group: Json) => group.name === name).id;
    const make = (group_name: string) =>
      succeed(
        admin.post('/default_stream_groups/create', { group_name, description: '', stream_names: ['one'] }),
      );
    await make('Old');
    return async () => {
      await make('New');
      const id = await named('New');
      await succeed(
        owner.patch(`/default_stream_groups/${id}`, { new_group_name: 'Newer', new_description: 'x' }),
      );
      const list = (op: string, stream_names: string[]) =>
        succeed(admin.patch(`/default_stream_groups/${id}/streams`, { op, stream_names }));
      await list('add', ['three', 'two']);
      await list('remove', ['one']);
      await succeed(admin.delete(`/default_stream_groups/${await named('Old')}`));
    };
  }),

  async 'choosing how to sign in'({ owner }) {
    return () => succeed(owner.patch('/realm', { authentication_methods: { Email: false, LDAP: false } }));
  },

  async 'signing in by another service for the first time'({ owner, realm }) {
    const people = ['ann@new.example', 'ben@new.example'].map((email) => ({ email, fullName: '' }));
    await succeed(owner.post('/invites', { invitee_emails: 'ann@new.example', stream_ids: [] }));
    return async () => {
      await joinByService(realm, people[0]);
      await succeed(owner.patch('/realm', { invite_required: false }));
      await joinByService(realm, people[1]);
    };
  },

  async 'naming the domains of email addresses'({ owner }) {
    const add = (domain: string) =>
      succeed(owner.post('/realm/domains', { domain, allow_subdomains: false }));
    await add('old.example');
    await succeed(owner.patch('/realm', { emails_restricted_to_domains: true }));
    return async () => {
      await add('new.example');
      await add('other.example');
      await succeed(owner.patch('/realm/domains/new.example', { allow_subdomains: true }));
      await succeed(owner.delete('/realm/domains/old.example'));
    };
  },

  async 'giving up the last domain'({ owner }) {
    await succeed(owner.post('/realm/domains', { domain: 'only.example', allow_subdomains: false }));
    await succeed(owner.patch('/realm', { emails_restricted_to_domains: true }));
    return () => succeed(owner.delete('/realm/domains/only.example'));
  },

  async 'making, changing and ordering folders'({ owner, admin }) {
    const make = async (name: string) =>
      (await succeed(owner.post('/channel_folders/create', { name, description: 'x' }))).channel_folder_id;
    const [one, two] = [await make('one'), await make('two')];
    return async () => {
      const three = await make('three');
      await succeed(admin.patch(`/channel_folders/${two}`, { name: 'TWO', description: 'y' }));
      await succeed(admin.patch(`/channel_folders/${one}`, { is_archived: true }));
      await succeed(owner.patch('/channel_folders', { order: [three, one, two] }));
    };
  },
};

function otherRealmValue(
  { schema, default: usual, isChannel, unlimited }: (typeof realmSettingRows)[number][1],
  idOf: (channel: string) => number,
): unknown {
  if (isChannel) return idOf(isChannel === 'private' ? 'secret' : 'news');
  if (unlimited !== undefined) return 77;
  const candidates = [true, false, 0, 1, 2, 3, 'moves', 'disable_empty_topic', 'de'];
  const other = candidates.find((value) => value !== usual && schema.safeParse(value).success);
  return schema.safeParse(null).success ? '"https://jitsi.example"' : other;
}

export const exercised: Exercised = {
  'actions/channel-folders/create': 'making, changing and ordering folders',
  'actions/channel-folders/edit': 'making, changing and ordering folders',
  'actions/channel-folders/reorder': 'making, changing and ordering folders',
  'actions/channels/defaults/channels': 'choosing the channels of newcomers',
  'actions/channels/defaults/groups': 'naming sets of channels for newcomers',
  'actions/emoji/create': 'adding custom emoji',
  'actions/emoji/deactivate': 'ending the use of custom emoji',
  'actions/users/full-members': 'beginning and ending a waiting period',
  'actions/realm-domains/add': 'naming the domains of email addresses',
  'actions/realm-domains/edit': 'naming the domains of email addresses',
  'actions/realm-domains/remove': 'giving up the last domain',
  'actions/realms/authentication': 'choosing how to sign in',
  'actions/sign-in/join': 'signing in by another service for the first time',
  'actions/realms/edit': 'changing every setting of the organization',
  // Its clients find the organization no longer.
  'actions/realms/deactivate': null,
  'actions/realms/rename': null,
  'actions/realms/change-picture': 'new pictures of the organization, and none again',
  'actions/users/welcome': 'trying the text that greets newcomers',
  'actions/realms/edit-user-defaults': 'changing what new accounts start with',
  'model/default-channels/channels': 'choosing the channels of newcomers',
  'model/default-channels/groups': 'naming sets of channels for newcomers',
};
