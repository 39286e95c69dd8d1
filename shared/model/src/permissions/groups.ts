import type { GroupSetting } from '@parley/protocol';

import { systemGroups } from './system-groups.ts';

/** What group membership depends on. */
export interface Member {
  id: number;
  role: number;
  joinedAt: Date;
}

interface Groups {
  groups: readonly { id: number; name: string }[];
  /** Days after which a new account is a full member. */
  waitingDays: number;
}

const dayMs = 86_400_000;

const isFullMember = ({ role, joinedAt }: Member, waitingDays: number) =>
  role <= 300 || (role <= 400 && Date.now() - joinedAt.getTime() >= waitingDays * dayMs);

/** Whether a user is in the group, or among the people and groups, that a setting names. */
export function isIncluded(user: Member, setting: GroupSetting, realm: Groups): boolean {
  if (typeof setting === 'number') {
    const name = realm.groups.find(({ id }) => id === setting)?.name;
    if (name === 'role:fullmembers') return isFullMember(user, realm.waitingDays);
    const system = systemGroups.find((group) => group.name === name);
    return system !== undefined && user.role <= system.roleMax;
  }
  if (setting.direct_members.includes(user.id)) return true;
  return setting.direct_subgroups.some((id) => isIncluded(user, id, realm));
}
