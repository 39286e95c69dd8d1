import type { GroupSetting } from '@parley/client';
import { useId } from 'preact/hooks';

import { part } from '../live/state.ts';
import { nameOfUser } from '../people/names.ts';
import { tellError } from '../shell/toasts.tsx';

/** A new value, and the one that it is to take the place of. */
interface GroupSettingChange {
  new: number;
  old: GroupSetting;
}

const systemNames: Readonly<Record<string, string>> = {
  'role:everyone': 'Everyone, guests too',
  'role:members': 'Members',
  'role:fullmembers': 'Members who are not new',
  'role:moderators': 'Moderators',
  'role:administrators': 'Administrators',
  'role:owners': 'Owners',
  'role:nobody': 'Nobody',
};

const nameOfGroup = (name: string) => systemNames[name] ?? name;

/** A permission in words, by its name: `can_add_members_group` is Add members. */
export function settingName(permission: string): string {
  const words = permission
    .replace(/^can_/, '')
    .replace(/_group$/, '')
    .replaceAll('_', ' ');
  return words[0]?.toUpperCase() + words.slice(1);
}

/** Who has a permission, where that is no single group. */
function describe(setting: GroupSetting, nameOf: (group: number) => string): string {
  if (typeof setting === 'number') return nameOf(setting);
  return (
    [...setting.direct_subgroups.map(nameOf), ...setting.direct_members.map(nameOfUser)].join(', ') ||
    'Nobody'
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

/** Who has a permission, as a choice among the groups. */
export function GroupSettingField({
  name,
  label,
  value,
  isDisabled,
  allowed = [],
  save,
}: GroupSettingFieldProps) {
  const id = useId();
  const groups = part('groups');
  const nameOf = (group: number) => nameOfGroup(groups.get(group)?.name ?? `group ${group}`);
  const offered = [...groups.values()].filter(
    (group) =>
      group.id === value ||
      (!group.deactivated &&
        group.name !== 'role:internet' &&
        (allowed.length === 0 || allowed.includes(group.name))),
  );
  return (
    <div class="setting-field" data-setting={name}>
      <label htmlFor={id}>{label}</label>
      <select
        id={id}
        disabled={isDisabled}
        onChange={({ currentTarget }) => {
          save({ new: Number(currentTarget.value), old: value }).catch((error: unknown) => {
            currentTarget.value = typeof value === 'number' ? String(value) : '';
            tellError(error);
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
