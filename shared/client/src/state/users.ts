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
  'realm_user add'(state, { person: { is_active, ...user } }, { slices }) {
    state.users.delete(user.user_id);
    (is_active ? state.users : state.nonActiveUsers).set(user.user_id, user);
    slices.add(is_active ? 'users' : 'nonActiveUsers');
  },

  'realm_user remove'(state, { person: { user_id } }, { slices }) {
    find(state, user_id);
    for (const slice of ['users', 'nonActiveUsers', 'statuses'] as const) {
      if (state[slice].delete(user_id)) slices.add(slice);
    }
  },

  'realm_user update'(state, { person }, changes) {
    const change: Change = person;
    const { user_id: id } = change;
    const user = changed(find(state, id), change);
    if (typeof change['is_active'] === 'boolean') setActive(state, user, change['is_active'], changes);
    else {
      const slice = state.users.has(id) ? 'users' : 'nonActiveUsers';
      state[slice].set(id, user);
      changes.slices.add(slice);
    }
    if (id === state.own.user_id) setOwnAccount(state, user, change, changes);
  },

  user_status({ statuses }, { user_id, type: _type, ...change }, { slices }) {
    const { id: _, ...fields } = change as typeof change & { id?: number };
    const status = Object.entries({ ...statuses.get(user_id), ...fields }).filter(([, value]) => value);
    if (status.length > 0) statuses.set(user_id, Object.fromEntries(status));
    else statuses.delete(user_id);
    slices.add('statuses');
  },
};

const find = (state: State, id: number): User => state.users.get(id) ?? get(state.nonActiveUsers, id);

/** The account after a change, which is recognized by the fields that it has. */
function changed(user: User, sent: Change): User {
  const { user_id: _, ...change } = sent;
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

function setActive(state: State, user: User, isActive: boolean, { slices }: Changes): void {
  const { user_id: id } = user;
  const [from, to] = isActive ? [state.nonActiveUsers, state.users] : [state.users, state.nonActiveUsers];
  from.delete(id);
  to.set(id, user);
  slices.add('users').add('nonActiveUsers');
  if (isActive) return;
  if (state.consents?.delete(id)) slices.add('consents');
  for (const group of state.groups.values()) {
    if (!group.members.delete(id)) continue;
    state.groups.set(group.id, { ...group });
    slices.add('groups');
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
  // Guests may read fewer channels than members.
  if ('role' in change) for (const channelId of state.channels.keys()) changes.access.add(channelId);
}
