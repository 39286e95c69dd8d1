import type { Changes } from './changes.ts';
import { get, setOwn } from './reducers.ts';
import type { State } from './state.ts';

/** The server sends once what may be created. From then on it follows from permissions and groups. */
const permissionOf: Record<string, string> = {
  can_create_public_streams: 'realm_can_create_public_channel_group',
  can_create_private_streams: 'realm_can_create_private_channel_group',
  can_create_web_public_streams: 'realm_can_create_web_public_channel_group',
  can_invite_others_to_realm: 'realm_can_invite_users_group',
};

const rolesOfCreators = { members: 1, administrators: 2, fullmembers: 3, moderators: 4 };

/** Numbers that older clients read instead of groups. */
const policyOf: Record<string, { permission: string; numbers: Record<string, number>; otherwise: number }> = {
  realm_create_private_stream_policy: {
    permission: 'realm_can_create_private_channel_group',
    numbers: rolesOfCreators,
    otherwise: 1,
  },
  realm_create_public_stream_policy: {
    permission: 'realm_can_create_public_channel_group',
    numbers: rolesOfCreators,
    otherwise: 1,
  },
  realm_create_web_public_stream_policy: {
    permission: 'realm_can_create_web_public_channel_group',
    numbers: { owners: 7, administrators: 2, moderators: 4, nobody: 6 },
    otherwise: 7,
  },
  realm_wildcard_mention_policy: {
    permission: 'realm_can_mention_many_users_group',
    numbers: { administrators: 5, everyone: 1, members: 2, fullmembers: 3, nobody: 6, moderators: 7 },
    otherwise: 5,
  },
};

/** Derives what follows from the rest of the state, once per batch of events and only where it may have changed. */
export function derive(state: State, changes: Changes): void {
  if (changes.slices.has('groups') || changes.slices.has('own')) derivePermissions(state, changes);
  if (changes.access.size > 0) forgetUnreadable(state, changes);
}

function derivePermissions(state: State, changes: Changes): void {
  const { own } = state;
  const derived: Record<string, unknown> = {};
  for (const [field, { permission, numbers, otherwise }] of Object.entries(policyOf)) {
    const group = state.groups.get(own[permission] as number);
    derived[field] = numbers[group?.name.replace('role:', '') ?? ''] ?? otherwise;
  }
  for (const [field, permission] of Object.entries(permissionOf)) {
    derived[field] = isIncluded(state, own[permission] as GroupSetting, own.user_id);
  }
  derived['can_create_streams'] =
    derived['can_create_public_streams'] ||
    derived['can_create_private_streams'] ||
    derived['can_create_web_public_streams'];
  const changed = Object.entries(derived).filter(([field, value]) => own[field] !== value);
  if (changed.length > 0) setOwn(state, changes, Object.fromEntries(changed));
}

/** Drops the messages of channels that the account may no longer read. */
function forgetUnreadable(state: State, changes: Changes): void {
  const readable = new Map<number, boolean>();
  for (const { id, stream_id } of state.messages.values()) {
    if (stream_id === undefined || !changes.access.has(stream_id)) continue;
    const isKept = readable.get(stream_id) ?? isReadable(state, stream_id);
    readable.set(stream_id, isKept);
    if (isKept) continue;
    state.messages.delete(id);
    changes.messages.add(id);
    changes.slices.add('messages');
  }
}

/**
 * Returns whether the account may read a channel: one that it is in, that is open to it, or that it may join by
 * itself.
 */
export function isReadable(state: State, id: number): boolean {
  const { channels, subscriptions, own } = state;
  if (subscriptions.has(id)) return true;
  const channel = channels.get(id);
  if (!channel) return false;
  if (channel.is_web_public) return true;
  if (own.is_guest) return false;
  if (!channel.invite_only) return true;
  const { can_add_subscribers_group, can_subscribe_group, history_public_to_subscribers } = channel;
  return (
    history_public_to_subscribers &&
    [can_add_subscribers_group, can_subscribe_group].some((setting) =>
      isIncluded(state, setting, own.user_id),
    )
  );
}

/** Checks the private channels again after a change of groups, because the account may read others than before. */
export function reconsiderPrivate(state: State, { access, questions }: Changes): void {
  for (const { stream_id: id, invite_only } of state.channels.values()) {
    if (!invite_only || state.subscriptions.has(id)) continue;
    access.add(id);
    if (isReadable(state, id)) questions.channels.add(id);
  }
}

/** A group, or people and groups: what permissions are set to. */
export type GroupSetting = number | { direct_members: number[]; direct_subgroups: number[] };

/** Returns whether a permission's setting includes a user, directly or by groups in groups. */
export function isIncluded(state: Pick<State, 'groups'>, setting: GroupSetting, userId: number): boolean {
  if (typeof setting === 'number') {
    const { members, direct_subgroup_ids } = get(state.groups, setting);
    return members.has(userId) || [...direct_subgroup_ids].some((id) => isIncluded(state, id, userId));
  }
  return (
    setting.direct_members.includes(userId) ||
    setting.direct_subgroups.some((id) => isIncluded(state, id, userId))
  );
}
