import { type GroupSetting, isIncluded } from '@parley/client';

import { own, slice } from '../live/state.ts';

/** Returns whether a permission's setting includes the person. A group that is not known includes nobody. */
export function isGranted(setting: GroupSetting | undefined): boolean {
  if (setting === undefined) return false;
  const groups = slice('groups');
  if (typeof setting === 'number' && !groups.has(setting)) return false;
  return isIncluded({ groups }, setting, own('user_id'));
}

/** Returns whether the organization lets the person do something, by the name of the permission. */
export const may = (permission: string): boolean =>
  isGranted(own(`realm_${permission}`) as GroupSetting | undefined);

export const isAdmin = (): boolean => own('is_admin');

const kindsOfChannels = ['public', 'private', 'web_public'] as const;

/** Returns whether the person may create a channel of some kind. */
export const mayCreateChannels = (): boolean =>
  kindsOfChannels.some((kind) => may(`can_create_${kind}_channel_group`));

/** Returns whether the person may change the properties of a channel. */
export const mayAdministerChannel = (channel: { can_administer_channel_group: GroupSetting }): boolean =>
  isAdmin() || isGranted(channel.can_administer_channel_group);
