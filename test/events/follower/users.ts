import type { Json } from '../../support/index.ts';
import { type Reducers, get, union } from './state.ts';

/** Accounts, bots and groups. */
export const users: Reducers = {
  'realm_user add'(state, { person: { is_active, ...user } }) {
    delete state.users[user.user_id];
    (is_active ? state.users : state.nonActiveUsers)[user.user_id] = user;
  },

  'realm_user remove'(state, { person: { user_id } }) {
    get({ ...state.nonActiveUsers, ...state.users }, user_id);
    for (const records of [state.users, state.nonActiveUsers, state.statuses]) delete records[user_id];
  },

  'realm_user update'(state, { person: { user_id, ...change } }) {
    const user = get({ ...state.nonActiveUsers, ...state.users }, user_id);
    if ('new_email' in change) user.email = change.new_email;
    else if ('avatar_version' in change) {
      Object.assign(user, { avatar_url: change.avatar_url, avatar_version: change.avatar_version });
    } else if ('custom_profile_field' in change) {
      const { id, ...value } = change.custom_profile_field;
      if (value.value === null) delete user.profile_data[id];
      else user.profile_data[id] = value;
    } else if ('is_active' in change) {
      const [from, to] = change.is_active
        ? [state.nonActiveUsers, state.users]
        : [state.users, state.nonActiveUsers];
      delete from[user_id];
      to[user_id] = user;
      if (change.is_active) return;
      delete state.consents[user_id];
      for (const group of Object.values(state.groups)) {
        group.members = group.members.filter((id: number) => id !== user_id);
      }
    } else Object.assign(user, change);
    if ('role' in change) {
      const { role } = change;
      Object.assign(user, { is_owner: role === 100, is_admin: role <= 200, is_guest: role === 600 });
    }
    if (user_id !== state.own.user_id) return;
    for (const field of [
      'email',
      'delivery_email',
      'full_name',
      'avatar_url',
      'is_owner',
      'is_admin',
      'is_guest',
    ])
      state.own[field] = user[field];
    state.own.is_moderator = user.role <= 300;
    if ('avatar_version' in change) {
      const { avatar_source, avatar_url_medium } = change;
      Object.assign(state.own, { avatar_source, avatar_url_medium });
    }
  },

  user_status(state, { user_id, id: _id, type: _type, ...change }) {
    const status = Object.entries({ ...state.statuses[user_id], ...change }).filter(([, value]) => value);
    if (status.length > 0) state.statuses[user_id] = Object.fromEntries(status);
    else delete state.statuses[user_id];
  },

  'user_group add_members'(state, { group_id, user_ids }) {
    const group = get(state.groups, group_id);
    group.members = union(group.members, user_ids);
  },

  'user_group remove_members'(state, { group_id, user_ids }) {
    const group = get(state.groups, group_id);
    group.members = group.members.filter((id: number) => !user_ids.includes(id));
  },

  'user_group add'(state, { group }) {
    state.groups[group.id] = group;
  },

  'user_group update'(state, { group_id, data }) {
    Object.assign(get(state.groups, group_id), data);
  },

  'user_group add_subgroups'(state, { group_id, direct_subgroup_ids }) {
    const group = get(state.groups, group_id);
    group.direct_subgroup_ids = union(group.direct_subgroup_ids, direct_subgroup_ids);
  },

  'user_group remove_subgroups'(state, { group_id, direct_subgroup_ids }) {
    const group = get(state.groups, group_id);
    const isLeft = (id: number) => !direct_subgroup_ids.includes(id);
    group.direct_subgroup_ids = group.direct_subgroup_ids.filter(isLeft);
  },

  'user_group remove'(state, { group_id }) {
    get(state.groups, group_id);
    delete state.groups[group_id];
  },

  'realm_bot add'({ own }, { bot }) {
    own.realm_bots = [...own.realm_bots.filter(({ user_id }: Json) => user_id !== bot.user_id), bot].sort(
      (a, b) => a.user_id - b.user_id,
    );
  },

  'realm_bot update'({ own }, { bot }) {
    const record = own.realm_bots.find(({ user_id }: Json) => user_id === bot.user_id);
    if (!record) throw new Error(`The client was never told of bot ${bot.user_id}.`);
    Object.assign(record, bot);
  },

  'realm_bot delete'({ own }, { bot }) {
    own.realm_bots = own.realm_bots.filter(({ user_id }: Json) => user_id !== bot.user_id);
  },
};
