import type { ChannelRow } from '@parley/db';
import type { ChannelGroupSetting } from '@parley/protocol';

import { isAdministrator, isGuest } from '../actor.ts';
import type { Rules } from '../permissions/rules.ts';
import type { Member } from '../permissions/system-groups.ts';

/** A channel, and whether a user is subscribed to it. */
export interface ChannelAccess {
  channel: ChannelRow;
  isSubscribed: boolean;
}

/** Returns whether one of the channel's own permissions names the user. The organization's are checked elsewhere. */
export const hasChannelPermission = (
  user: Member,
  { channel }: ChannelAccess,
  permission: ChannelGroupSetting,
  rules: Rules,
) => rules.includes(channel.groupSettings[permission], user);

/** Returns whether a user has metadata access: may know that the channel exists, its name, settings and subscribers. */
export function maySeeChannel(user: Member, access: ChannelAccess, rules: Rules): boolean {
  if (mayReadChannel(user, access, rules) || isAdministrator(user)) return true;
  return !isGuest(user) && hasChannelPermission(user, access, 'can_administer_channel_group', rules);
}

/**
 * Returns whether a user has content access. Administrators see that a private channel exists, but not its messages.
 */
export function mayReadChannel(user: Member, access: ChannelAccess, rules: Rules): boolean {
  const { channel, isSubscribed } = access;
  if (isSubscribed || channel.isWebPublic || (!channel.isPrivate && !isGuest(user))) return true;
  return !isGuest(user) && mayJoin(user, access, rules);
}

/** Whether a user may subscribe themselves or others to a private channel. Such a user may also read it. */
const mayJoin = (user: Member, access: ChannelAccess, rules: Rules) =>
  hasChannelPermission(user, access, 'can_add_subscribers_group', rules) ||
  hasChannelPermission(user, access, 'can_subscribe_group', rules);

/**
 * Returns whether a user may read messages that were sent before they subscribed. Others read only what they received.
 */
export const mayReadChannelHistory = (user: Member, access: ChannelAccess, rules: Rules) =>
  mayReadChannel(user, access, rules) && access.channel.sharesHistory;

export const mayAdministerChannel = (user: Member, access: ChannelAccess, rules: Rules) =>
  isAdministrator(user) || hasChannelPermission(user, access, 'can_administer_channel_group', rules);

export const maySendToChannel = (user: Member, access: ChannelAccess, rules: Rules) =>
  hasChannelPermission(user, access, 'can_send_message_group', rules);

/** Returns whether a user may subscribe others. Whether the user may read the channel is checked elsewhere. */
export const mayAddSubscribers = (user: Member, access: ChannelAccess, rules: Rules) =>
  rules.may(user, 'can_add_subscribers_group') ||
  hasChannelPermission(user, access, 'can_add_subscribers_group', rules) ||
  mayAdministerChannel(user, access, rules);

export const mayRemoveSubscribers = (user: Member, access: ChannelAccess, rules: Rules) =>
  mayAdministerChannel(user, access, rules) ||
  hasChannelPermission(user, access, 'can_remove_subscribers_group', rules);

type Visibility = Pick<ChannelRow, 'isPrivate' | 'isWebPublic'>;

/** Returns whether a user may create channels of this visibility, or give an existing channel this visibility. */
export function mayCreateChannel(
  user: Member,
  { isPrivate, isWebPublic }: Visibility,
  rules: Rules,
): boolean {
  if (isWebPublic) return rules.may(user, 'can_create_web_public_channel_group');
  return rules.may(user, isPrivate ? 'can_create_private_channel_group' : 'can_create_public_channel_group');
}
