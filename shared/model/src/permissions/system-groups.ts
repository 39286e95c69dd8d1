import { type Role, roles } from '@parley/protocol';

/** The groups that every realm has, smallest first. Each contains the one before it, but `role:nobody` is empty. */
export const systemGroups = [
  { name: 'role:owners', description: 'Owners of this organization', roleMax: roles.owner },
  {
    name: 'role:administrators',
    description: 'Administrators of this organization, including owners',
    roleMax: roles.administrator,
  },
  {
    name: 'role:moderators',
    description: 'Moderators of this organization, including administrators',
    roleMax: roles.moderator,
  },
  {
    name: 'role:fullmembers',
    description: 'Members of this organization, excluding new accounts and guests',
    roleMax: roles.member,
  },
  {
    name: 'role:members',
    description: 'Members of this organization, excluding guests',
    roleMax: roles.member,
  },
  {
    name: 'role:everyone',
    description: 'Everyone in this organization, including guests',
    roleMax: roles.guest,
  },
  { name: 'role:internet', description: 'Everyone on the internet', roleMax: roles.guest },
  { name: 'role:nobody', description: 'Nobody', roleMax: 0 },
] as const;

export type SystemGroupName = (typeof systemGroups)[number]['name'];

/** The facts about a user that group membership depends on. */
export interface Member {
  id: number;
  role: number;
  /** True once the waiting period of the organization is over. */
  isFullMember: boolean;
  /** The ids of the groups that the user is a direct member of, without system groups. */
  groupIds: readonly number[];
}

const directGroups: Record<Role, readonly SystemGroupName[]> = {
  [roles.owner]: ['role:owners'],
  [roles.administrator]: ['role:administrators'],
  [roles.moderator]: ['role:moderators'],
  [roles.member]: ['role:members'],
  [roles.guest]: ['role:everyone'],
};

/** Returns the system groups that a user's role makes the user a direct member of. */
export function systemGroupsOf({ role, isFullMember }: Pick<Member, 'role' | 'isFullMember'>) {
  // Safe: roles are written by this code alone.
  const groups = directGroups[role as Role];
  return role === roles.member && isFullMember ? (['role:fullmembers', ...groups] as const) : groups;
}

/**
 * Returns the name of the greatest system group that a system group contains; undefined of the smallest, and of
 * nobody's.
 */
export function systemGroupBelow(name: SystemGroupName): SystemGroupName | undefined {
  if (name === 'role:nobody') return undefined;
  return systemGroups[systemGroups.findIndex((group) => group.name === name) - 1]?.name;
}

/** Returns whether a user is in a system group, directly or through a smaller one. */
export function isInSystemGroup(user: Pick<Member, 'role' | 'isFullMember'>, name: SystemGroupName): boolean {
  if (name === 'role:fullmembers' && user.role === roles.member) return user.isFullMember;
  const group = systemGroups.find((candidate) => candidate.name === name);
  return group !== undefined && user.role <= group.roleMax;
}
