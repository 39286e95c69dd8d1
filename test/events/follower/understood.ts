import type { Json } from '../../support/index.ts';
import { type State, get } from './state.ts';

/** What may be created is told once, and follows from permissions and groups from then on. */
const permissionOf: Record<string, string> = {
  can_create_public_streams: 'realm_can_create_public_channel_group',
  can_create_private_streams: 'realm_can_create_private_channel_group',
  can_create_web_public_streams: 'realm_can_create_web_public_channel_group',
  can_invite_others_to_realm: 'realm_can_invite_users_group',
};

/** Numbers that older clients read instead of groups. */
const policyOf: Record<string, { permission: string; numbers: Record<string, number>; otherwise: number }> = {
  realm_create_private_stream_policy: {
    permission: 'realm_can_create_private_channel_group',
    numbers: { members: 1, administrators: 2, fullmembers: 3, moderators: 4 },
    otherwise: 1,
  },
  realm_create_public_stream_policy: {
    permission: 'realm_can_create_public_channel_group',
    numbers: { members: 1, administrators: 2, fullmembers: 3, moderators: 4 },
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

/** The state with what follows from the rest of it. */
export function understood(state: State): State {
  const { own } = state;
  for (const [field, { permission, numbers, otherwise }] of Object.entries(policyOf)) {
    const name = state.groups[own[permission]]?.name.replace('role:', '');
    own[field] = numbers[name] ?? otherwise;
  }
  for (const [field, permission] of Object.entries(permissionOf)) {
    own[field] = isIncluded(state, own[permission], own.user_id);
  }
  own.can_create_streams =
    own.can_create_public_streams || own.can_create_private_streams || own.can_create_web_public_streams;
  for (const [id, { stream_id }] of Object.entries(state.messages)) {
    if (stream_id !== undefined && !isReadable(state, stream_id)) delete state.messages[Number(id)];
  }
  return state;
}

/** What a client shows of its state: of what is unread in a channel that one may not look into any more, nothing. */
export function shown(state: State): State {
  const channelOf = (place: string) => /^channel (\d+),/.exec(place)?.[1];
  const isShown = (place: string) => {
    const channel = channelOf(place);
    return channel === undefined || isReadable(state, Number(channel));
  };
  const unread = Object.fromEntries(Object.entries(state.unread).filter(([, place]) => isShown(place)));
  const administered = state.own.is_admin ? {} : { exports: [], consents: {} };
  return {
    ...state,
    ...administered,
    unread,
    mentions: state.mentions.filter((id) => unread[id] !== undefined),
  };
}

/** Of a channel that one may not look into any more, the client shows nothing. */
function isReadable({ channels, subscriptions, users, own }: State, id: number): boolean {
  if (subscriptions[id]) return true;
  const channel = channels[id];
  if (!channel) return false;
  return channel.is_web_public || (!channel.invite_only && !get(users, own.user_id).is_guest);
}

function isIncluded(state: State, setting: Json, userId: number): boolean {
  if (typeof setting === 'number') {
    const { members, direct_subgroup_ids } = get(state.groups, setting);
    return isIncluded(state, { direct_members: members, direct_subgroups: direct_subgroup_ids }, userId);
  }
  return (
    setting.direct_members.includes(userId) ||
    setting.direct_subgroups.some((id: number) => isIncluded(state, id, userId))
  );
}
