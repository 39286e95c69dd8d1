import {
  createChannel,
  createGroup,
  groupId,
  people as named,
  say,
  subscribe,
  succeed,
} from '../../support/index.ts';
import { type Actions, type Exercised, inNewRealm } from './action.ts';
import { letSee } from './guests.ts';

export const actions: Actions = {
  async 'making groups'({ owner, alice, bob, guest, bot }) {
    const moderators = await groupId(alice, 'role:moderators');
    return async () => {
      const inner = await createGroup(alice, 'inner', [bob, guest, bot], { subgroups: [moderators] });
      await createGroup(owner, 'outer', [], {
        description: 'x',
        subgroups: [inner],
        can_join_group: inner,
        can_mention_group: named(alice, bob),
      });
    };
  },

  async 'changing groups'({ owner, alice, bob }) {
    const id = await createGroup(alice, 'group', [bob]);
    const members = await groupId(owner, 'role:members');
    return async () => {
      await succeed(alice.patch(`/user_groups/${id}`, { name: 'renamed', description: 'x' }));
      await succeed(
        owner.patch(`/user_groups/${id}`, {
          can_leave_group: { new: members },
          can_manage_group: { new: id },
        }),
      );
    };
  },

  'deactivating groups, changing them, and bringing one back': inNewRealm(async ({ alice, bob, carol }) => {
    const [one, two] = [await createGroup(alice, 'one', [bob]), await createGroup(alice, 'two', [bob])];
    const inner = await createGroup(alice, 'inner');
    return async () => {
      for (const id of [one, two]) {
        await succeed(alice.post(`/user_groups/${id}/deactivate`));
        await succeed(alice.patch(`/user_groups/${id}`, { description: 'x' }));
        await succeed(alice.post(`/user_groups/${id}/members`, { add: [carol.id], delete: [bob.id] }));
        await succeed(alice.post(`/user_groups/${id}/subgroups`, { add: [inner] }));
      }
      await succeed(alice.patch(`/user_groups/${two}`, { deactivated: false, name: 'third' }));
    };
  }),

  'changing members and subgroups of groups': inNewRealm(async ({ alice, bob, carol, guest }) => {
    const inner = await createGroup(alice, 'inner', [carol]);
    const group = await createGroup(alice, 'group', [bob]);
    return async () => {
      const change = (params: object) => succeed(alice.post(`/user_groups/${group}/members`, { ...params }));
      await change({ add: [carol.id, guest.id], delete: [bob.id], add_subgroups: [inner] });
      await change({ delete: [guest.id] });
      await succeed(alice.post(`/user_groups/${group}/subgroups`, { delete: [inner] }));
      await succeed(alice.post(`/user_groups/${inner}/subgroups`, { add: [group] }));
    };
  }),

  'changing groups that private channels admit': inNewRealm(
    async ({ owner, alice, bob, carol, moderator, guest }) => {
      const inner = await createGroup(alice, 'inner', [carol]);
      const outer = await createGroup(alice, 'outer', [bob], { subgroups: [inner] });
      const kind = { invite_only: true, history_public_to_subscribers: true };
      for (const [name, setting] of [
        ['read', 'can_subscribe_group'],
        ['managed', 'can_administer_channel_group'],
        ['joined', 'can_add_subscribers_group'],
      ] as const) {
        const id = await createChannel(alice, name, [alice, moderator], { ...kind, [setting]: outer });
        await say(moderator, id, 'topic', 'what was said');
      }
      await subscribe(alice, 'read', [bob]);
      return async () => {
        const change = (id: number, params: object) =>
          succeed(owner.post(`/user_groups/${id}/members`, { ...params }));
        await change(inner, { add: [guest.id, owner.id], delete: [carol.id] });
        await change(outer, { delete: [bob.id], add: [carol.id] });
        await change(outer, {
          delete_subgroups: [inner],
          add_subgroups: [await groupId(owner, 'role:members')],
        });
      };
    },
  ),

  async 'bringing back somebody who was in groups'({ owner, alice, join }) {
    const dora = await join({ name: 'Dora' });
    await createGroup(alice, 'one', [dora]);
    const two = await createGroup(alice, 'two', [dora]);
    await succeed(alice.post(`/user_groups/${two}/deactivate`));
    await succeed(owner.delete(`/users/${dora.id}`));
    return () => succeed(owner.post(`/users/${dora.id}/reactivate`));
  },

  'ending and beginning again of people in groups whom guests may not know': inNewRealm(async (people) => {
    const { owner, alice, join } = people;
    await letSee(owner, 'role:members');
    const [dora, emil] = [await join({ name: 'Dora' }), await join({ name: 'Emil' })];
    await createGroup(alice, 'one', [dora, emil]);
    await succeed(owner.delete(`/users/${emil.id}`));
    return async () => {
      await succeed(owner.delete(`/users/${dora.id}`));
      await succeed(owner.post(`/users/${emil.id}/reactivate`));
    };
  }),

  async 'mentioning groups'({ alice, bob, carol, moderator }) {
    const moderators = await groupId(alice, 'role:moderators');
    await createGroup(alice, 'team', [bob, carol], { subgroups: [moderators] });
    const id = await createChannel(alice, 'news', [alice, bob, moderator]);
    return async () => {
      await say(alice, id, 'topic', 'hello @*team*');
      const said = await say(bob, id, 'topic', 'hello');
      await succeed(bob.patch(`/messages/${said}`, { content: 'hello @*team* and @_*team*' }));
    };
  },

  async 'permitting groups what the organization may permit'({ owner, alice, bob }) {
    const group = await createGroup(alice, 'makers', [bob]);
    return async () => {
      for (const name of ['can_create_public_channel_group', 'can_invite_users_group']) {
        await succeed(owner.patch('/realm', { [name]: { new: group } }));
      }
      await succeed(owner.post(`/user_groups/${group}/members`, { add: [alice.id], delete: [bob.id] }));
    };
  },
};

export const exercised: Exercised = {
  'actions/channels/group-access-events': 'changing groups that private channels admit',
  'actions/user-groups/change-members': 'changing members and subgroups of groups',
  'actions/user-groups/create': 'making groups',
  'actions/user-groups/deactivate': 'deactivating groups, changing them, and bringing one back',
  'actions/user-groups/edit': 'changing groups',
  'actions/user-groups/events': 'bringing back somebody who was in groups',
  'actions/user-groups/notices': 'changing members and subgroups of groups',
};
