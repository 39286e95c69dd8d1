import { z } from 'zod';

import { limits } from '../limits.ts';

/** A user group id, or direct members and subgroups (contract: Group-setting value). */
export const GroupSetting = z.union([
  z.int(),
  z.strictObject({ direct_members: z.array(z.int()), direct_subgroups: z.array(z.int()) }),
]);
export type GroupSetting = z.infer<typeof GroupSetting>;

/** A permission that is held by a user group, and which groups may hold it (reference/register.md 4.3, 4.4). */
export interface GroupPermission {
  /** A system group, or `creator` where a thing starts out in the hands of whoever made it. */
  default: string;
  allowsNobody: boolean;
  /** Whether guests may be among them. */
  allowsEveryone: boolean;
  /** Set where only these system groups will do. */
  systemGroups?: readonly string[];
  /** Administrators may not change it; owners may. */
  isForOwners?: boolean;
}

const idList = z.array(z.int().min(0).max(2_147_483_647)).max(limits.principalsPerRequest);

/** A value as a request names it. */
export const AskedGroupSetting = z.union([
  z.int().min(0).max(2_147_483_647),
  z.strictObject({ direct_members: idList, direct_subgroups: idList }),
]);
/** A new value, and the one that the client knows, which must be the present one. */
export const GroupSettingChange = z.strictObject({
  new: AskedGroupSetting,
  old: AskedGroupSetting.optional(),
});
export type GroupSettingChange = z.infer<typeof GroupSettingChange>;

const held = (by: string, { nobody = true, everyone = false } = {}): GroupPermission => ({
  default: by,
  allowsNobody: nobody,
  allowsEveryone: everyone,
});

const any = { everyone: true };

/** Permissions of the organization. */
export const realmGroupSettings = {
  can_access_all_users_group: {
    ...held('role:everyone', { nobody: false, everyone: true }),
    systemGroups: ['role:everyone', 'role:members'],
  },
  can_add_custom_emoji_group: held('role:members'),
  can_add_subscribers_group: held('role:members'),
  can_create_bots_group: held('role:members'),
  can_create_groups: { ...held('role:members'), isForOwners: true },
  can_create_private_channel_group: held('role:members'),
  can_create_public_channel_group: held('role:members'),
  can_create_web_public_channel_group: {
    ...held('role:owners'),
    systemGroups: ['role:moderators', 'role:administrators', 'role:owners', 'role:nobody'],
  },
  can_create_write_only_bots_group: held('role:members'),
  can_delete_any_message_group: held('role:administrators'),
  can_delete_own_message_group: held('role:everyone', any),
  can_invite_users_group: { ...held('role:members'), isForOwners: true },
  can_manage_all_groups: { ...held('role:owners', { nobody: false }), isForOwners: true },
  can_manage_billing_group: { ...held('role:administrators', { nobody: false }), isForOwners: true },
  can_mention_many_users_group: held('role:administrators', any),
  can_move_messages_between_channels_group: held('role:members'),
  can_move_messages_between_topics_group: held('role:everyone', any),
  can_resolve_topics_group: held('role:everyone', any),
  can_set_delete_message_policy_group: held('role:moderators'),
  can_set_topics_policy_group: held('role:members', any),
  can_summarize_topics_group: held('role:everyone', any),
  create_multiuse_invite_group: { ...held('role:administrators'), isForOwners: true },
  direct_message_initiator_group: held('role:everyone', any),
  direct_message_permission_group: held('role:everyone', any),
} as const satisfies Record<string, GroupPermission>;
export type RealmGroupSetting = keyof typeof realmGroupSettings;
// Safe: keys and values of an object that nobody extends.
export const realmGroupRows = Object.entries(realmGroupSettings) as (readonly [
  RealmGroupSetting,
  GroupPermission,
])[];
export type RealmGroupSettings = Record<RealmGroupSetting, GroupSetting>;

/** Permissions of a channel. They add to those of the organization. */
export const channelGroupSettings = {
  can_add_subscribers_group: held('role:nobody'),
  can_administer_channel_group: held('creator'),
  can_delete_any_message_group: held('role:nobody', any),
  can_delete_own_message_group: held('role:nobody', any),
  can_move_messages_out_of_channel_group: held('role:nobody', any),
  can_move_messages_within_channel_group: held('role:nobody', any),
  can_remove_subscribers_group: held('role:administrators', any),
  can_resolve_topics_group: held('role:nobody', any),
  can_send_message_group: held('role:everyone', any),
  can_subscribe_group: held('role:nobody'),
} as const satisfies Record<string, GroupPermission>;
export type ChannelGroupSetting = keyof typeof channelGroupSettings;
export type ChannelGroupSettings = Record<ChannelGroupSetting, GroupSetting>;
// Safe: keys of an object that nobody extends.
export const channelGroupNames = Object.keys(channelGroupSettings) as ChannelGroupSetting[];

/** Permissions of a user group. */
export const userGroupSettings = {
  can_add_members_group: held('creator'),
  can_join_group: held('role:nobody'),
  can_leave_group: held('role:everyone', any),
  can_manage_group: held('creator'),
  can_mention_group: held('role:everyone', any),
  can_remove_members_group: held('role:nobody'),
} as const satisfies Record<string, GroupPermission>;
