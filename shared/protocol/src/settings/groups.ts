import { z } from 'zod';

import { limits } from '../limits.ts';

/** The value of a group setting: the id of a user group, or a list of users and subgroups. */
export const GroupSetting = z.union([
  z.int(),
  z.strictObject({ direct_members: z.array(z.int()), direct_subgroups: z.array(z.int()) }),
]);
export type GroupSetting = z.infer<typeof GroupSetting>;

/** A permission that is granted to a user group, and which groups it may be granted to. */
export interface GroupPermission {
  /**
   * The name of a system group, or `creator` if the permission is granted at first to the user who creates the thing.
   */
  default: string;
  allowsNobody: boolean;
  /** Whether the permission may be granted to groups that contain guests. */
  allowsEveryone: boolean;
  /** If present, the permission may be granted to these system groups only. */
  systemGroups?: readonly string[];
  /** Only owners may change it. */
  isForOwners?: boolean;
}

const idList = z.array(z.int().min(0).max(2_147_483_647)).max(limits.principalsPerRequest);

/** The value of a group setting in a request. */
export const GroupSettingInput = z.union([
  z.int().min(0).max(2_147_483_647),
  z.strictObject({ direct_members: idList, direct_subgroups: idList }),
]);
/** A new value, and optionally the one that the client believes to be current. The request is refused if it is not. */
export const GroupSettingChange = z.strictObject({
  new: GroupSettingInput,
  old: GroupSettingInput.optional(),
});
export type GroupSettingChange = z.infer<typeof GroupSettingChange>;

const heldBy = (by: string, { nobody = true, everyone = false } = {}): GroupPermission => ({
  default: by,
  allowsNobody: nobody,
  allowsEveryone: everyone,
});

const everyoneToo = { everyone: true };

/** Permissions of an organization. */
export const realmGroupSettings = {
  can_access_all_users_group: {
    ...heldBy('role:everyone', { nobody: false, everyone: true }),
    systemGroups: ['role:everyone', 'role:members'],
  },
  can_add_custom_emoji_group: heldBy('role:members'),
  can_add_subscribers_group: heldBy('role:members'),
  can_create_bots_group: heldBy('role:members'),
  can_create_groups: { ...heldBy('role:members'), isForOwners: true },
  can_create_private_channel_group: heldBy('role:members'),
  can_create_public_channel_group: heldBy('role:members'),
  can_create_web_public_channel_group: {
    ...heldBy('role:owners'),
    systemGroups: ['role:moderators', 'role:administrators', 'role:owners', 'role:nobody'],
  },
  can_create_write_only_bots_group: heldBy('role:members'),
  can_delete_any_message_group: heldBy('role:administrators'),
  can_delete_own_message_group: heldBy('role:everyone', everyoneToo),
  can_invite_users_group: { ...heldBy('role:members'), isForOwners: true },
  can_manage_all_groups: { ...heldBy('role:owners', { nobody: false }), isForOwners: true },
  can_manage_billing_group: { ...heldBy('role:administrators', { nobody: false }), isForOwners: true },
  can_mention_many_users_group: heldBy('role:administrators', everyoneToo),
  can_move_messages_between_channels_group: heldBy('role:members'),
  can_move_messages_between_topics_group: heldBy('role:everyone', everyoneToo),
  can_resolve_topics_group: heldBy('role:everyone', everyoneToo),
  can_set_delete_message_policy_group: heldBy('role:moderators'),
  can_set_topics_policy_group: heldBy('role:members', everyoneToo),
  can_summarize_topics_group: heldBy('role:everyone', everyoneToo),
  create_multiuse_invite_group: { ...heldBy('role:administrators'), isForOwners: true },
  direct_message_initiator_group: heldBy('role:everyone', everyoneToo),
  direct_message_permission_group: heldBy('role:everyone', everyoneToo),
} as const satisfies Record<string, GroupPermission>;
export type RealmGroupSetting = keyof typeof realmGroupSettings;
// Safe: these are the keys and values of an object that is declared here and never changes.
export const realmGroupRows = Object.entries(realmGroupSettings) as (readonly [
  RealmGroupSetting,
  GroupPermission,
])[];
export type RealmGroupSettings = Record<RealmGroupSetting, GroupSetting>;

/** Permissions of a channel. They are granted in addition to those of the organization. */
export const channelGroupSettings = {
  can_add_subscribers_group: heldBy('role:nobody'),
  can_administer_channel_group: heldBy('creator'),
  can_delete_any_message_group: heldBy('role:nobody', everyoneToo),
  can_delete_own_message_group: heldBy('role:nobody', everyoneToo),
  can_move_messages_out_of_channel_group: heldBy('role:nobody', everyoneToo),
  can_move_messages_within_channel_group: heldBy('role:nobody', everyoneToo),
  can_remove_subscribers_group: heldBy('role:administrators', everyoneToo),
  can_resolve_topics_group: heldBy('role:nobody', everyoneToo),
  can_send_message_group: heldBy('role:everyone', everyoneToo),
  can_subscribe_group: heldBy('role:nobody'),
} as const satisfies Record<string, GroupPermission>;
export type ChannelGroupSetting = keyof typeof channelGroupSettings;
export type ChannelGroupSettings = Record<ChannelGroupSetting, GroupSetting>;
// Safe: these are the keys of an object that is declared here and never changes.
export const channelGroupNames = Object.keys(channelGroupSettings) as ChannelGroupSetting[];

/** Permissions of a user group. */
export const userGroupSettings = {
  can_add_members_group: heldBy('creator'),
  can_join_group: heldBy('role:nobody'),
  can_leave_group: heldBy('role:everyone', everyoneToo),
  can_manage_group: heldBy('creator'),
  can_mention_group: heldBy('role:everyone', everyoneToo),
  can_remove_members_group: heldBy('role:nobody'),
} as const satisfies Record<string, GroupPermission>;
export type UserGroupSetting = keyof typeof userGroupSettings;
export type UserGroupSettings = Record<UserGroupSetting, GroupSetting>;
// Safe: these are the keys of an object that is declared here and never changes.
export const userGroupNames = Object.keys(userGroupSettings) as UserGroupSetting[];
