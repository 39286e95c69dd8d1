import { type GroupSetting, isIncluded } from '@parley/client';

import { own, slice } from '../../data/live/state.ts';

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
