import type { GroupSetting } from '@parley/client';
import { useId } from 'preact/hooks';

import { showError } from '../../base/toasts/toasts.tsx';
import { slice } from '../../data/live/state.ts';
import { nameOfUser } from '../../data/people/names.ts';
import { permissionText } from '../../strings/administration.ts';
import { commonText, nameText, systemGroupText } from '../../strings/common.ts';
import { listNames } from '../../strings/language.ts';

/** A new value, and the one that it replaces. */
interface GroupSettingChange {
  new: number;
  old: GroupSetting;
}

const nameOfGroup = (name: string) => systemGroupText[name] ?? name;

/** A permission in words. One that the catalogue lacks is named by its words on the wire. */
export function settingName(permission: string): string {
  const text = permissionText[permission];
  if (text !== undefined) return text;
  const words = permission
    .replace(/^can_/, '')
    .replace(/_group$/, '')
    .replaceAll('_', ' ');
  return words[0]?.toUpperCase() + words.slice(1);
}

/** Returns who has a permission, as text, where that is no single group. */
function describe(setting: GroupSetting, nameOf: (group: number) => string): string {
  if (typeof setting === 'number') return nameOf(setting);
  return (
    listNames([...setting.direct_subgroups.map(nameOf), ...setting.direct_members.map(nameOfUser)]) ||
    commonText.nobody
  );
}

interface GroupSettingFieldProps {
  name: string;
  label: string;
  value: GroupSetting;
  isDisabled: boolean;
  /** System groups that may have it, by name; all groups, if empty. */
  allowed?: readonly string[];
  readonly save: (change: GroupSettingChange) => Promise<unknown>;
}

/** Lets somebody choose the group that has a permission. */
export function GroupSettingField({
  name,
  label,
  value,
  isDisabled,
  allowed = [],
  save,
}: GroupSettingFieldProps) {
  const id = useId();
  const groups = slice('groups');
  const nameOf = (group: number) => nameOfGroup(groups.get(group)?.name ?? nameText.group(group));
  const offered = [...groups.values()].filter(
    (group) =>
      group.id === value ||
      (!group.deactivated &&
        group.name !== 'role:internet' &&
        (allowed.length === 0 || allowed.includes(group.name))),
  );
  return (
    <div class="setting-row" data-setting={name}>
      <div>
        <label htmlFor={id}>{label}</label>
      </div>
      <select
        id={id}
        disabled={isDisabled}
        onChange={({ currentTarget }) => {
          save({ new: Number(currentTarget.value), old: value }).catch((error: unknown) => {
            currentTarget.value = typeof value === 'number' ? String(value) : '';
            showError(error);
          });
        }}
      >
        {typeof value !== 'number' && (
          <option value="" selected disabled>
            {describe(value, nameOf)}
          </option>
        )}
        {offered.map((group) => (
          <option key={group.id} value={group.id} selected={group.id === value}>
            {nameOfGroup(group.name)}
          </option>
        ))}
      </select>
    </div>
  );
}
