import type { User } from '@parley/protocol';

import type { Changes } from './changes.ts';
import { type Reducers, get, setOwn } from './reducers.ts';
import type { State } from './state.ts';

/** Which of an account's fields its owner also finds in `own`. */
const ownFields = [
  'email',
  'delivery_email',
  'full_name',
  'avatar_url',
  'is_owner',
  'is_admin',
  'is_guest',
] as const;

type Change = { user_id: number } & Record<string, unknown>;

export const users: Reducers = {
  'realm_user add'(state, { person: { is_active, ...user } }, { parts }) {
    state.users.delete(user.user_id);
    (is_active ? state.users : state.nonActiveUsers).set(user.user_id, user);
    parts.add(is_active ? 'users' : 'nonActiveUsers');
  },

  'realm_user remove'(state, { person: { user_id } }, { parts }) {
    find(state, user_id);
    for (const part of ['users', 'nonActiveUsers', 'statuses'] as const) {
      if (state[part].delete(user_id)) parts.add(part);
    }
  },

  'realm_user update'(state, { person }, changes) {
    const change: Change = person;
    const { user_id: id } = change;
    const user = changed(find(state, id), change);
    if (typeof change['is_active'] === 'boolean') setActive(state, user, change['is_active'], changes);
    else {
      const part = state.users.has(id) ? 'users' : 'nonActiveUsers';
      state[part].set(id, user);
      changes.parts.add(part);
    }
    if (id === state.own.user_id) setOwnAccount(state, user, change, changes);
  },

  user_status({ statuses }, { user_id, type: _type, ...change }, { parts }) {
    const { id: _, ...fields } = change as typeof change & { id?: number };
    const status = Object.entries({ ...statuses.get(user_id), ...fields }).filter(([, value]) => value);
    if (status.length > 0) statuses.set(user_id, Object.fromEntries(status));
    else statuses.delete(user_id);
    parts.add('statuses');
  },
};

const find = (state: State, id: number): User => state.users.get(id) ?? get(state.nonActiveUsers, id);

/** The account after a change, which is told by the fields that it has. */
function changed(user: User, told: Change): User {
  const { user_id: _, ...change } = told;
  if ('new_email' in change) return { ...user, email: String(change['new_email']) };
  if ('is_active' in change) return user;
  if ('avatar_version' in change) {
    const { avatar_url, avatar_version } = change;
    return Object.assign({ ...user }, { avatar_url, avatar_version });
  }
  if ('custom_profile_field' in change) {
    const { id, ...value } = change['custom_profile_field'] as { id: number; value: string | null };
    const { [id]: _, ...others } = user.profile_data ?? {};
    const kept = value.value === null ? {} : { [id]: { ...value, value: value.value } };
    return { ...user, profile_data: { ...others, ...kept } };
  }
  const { role } = change;
  const roles = typeof role === 'number' && {
    is_owner: role === 100,
    is_admin: role <= 200,
    is_guest: role === 600,
  };
  return { ...user, ...change, ...roles };
}

function setActive(state: State, user: User, isActive: boolean, { parts }: Changes): void {
  const { user_id: id } = user;
  const [from, to] = isActive ? [state.nonActiveUsers, state.users] : [state.users, state.nonActiveUsers];
  from.delete(id);
  to.set(id, user);
  parts.add('users').add('nonActiveUsers');
  if (isActive) return;
  if (state.consents?.delete(id)) parts.add('consents');
  for (const group of state.groups.values()) {
    if (!group.members.delete(id)) continue;
    state.groups.set(group.id, { ...group });
    parts.add('groups');
  }
}

function setOwnAccount(state: State, user: User, change: Change, changes: Changes): void {
  setOwn(state, changes, {
    ...Object.fromEntries(ownFields.map((field) => [field, user[field]])),
    is_moderator: user.role <= 300,
  });
  if ('avatar_version' in change) {
    const { avatar_source, avatar_url_medium } = change;
    setOwn(state, changes, { avatar_source, avatar_url_medium });
  }
  // What a guest may look into is not what a member may.
  if ('role' in change) for (const channelId of state.channels.keys()) changes.access.add(channelId);
}
