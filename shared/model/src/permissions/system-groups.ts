/** The groups that every realm has, smallest first; each contains the one before it. `role:nobody` contains none. */
export const systemGroups = [
  { name: 'role:owners', description: 'Owners of this organization', roleMax: 100 },
  {
    name: 'role:administrators',
    description: 'Administrators of this organization, including owners',
    roleMax: 200,
  },
  {
    name: 'role:moderators',
    description: 'Moderators of this organization, including administrators',
    roleMax: 300,
  },
  {
    name: 'role:fullmembers',
    description: 'Members of this organization, not including new accounts and guests',
    roleMax: 400,
  },
  { name: 'role:members', description: 'Members of this organization, not including guests', roleMax: 400 },
  { name: 'role:everyone', description: 'Everyone in this organization, including guests', roleMax: 600 },
  { name: 'role:internet', description: 'Everyone on the Internet', roleMax: 600 },
  { name: 'role:nobody', description: 'Nobody', roleMax: 0 },
] as const;

export type SystemGroupName = (typeof systemGroups)[number]['name'];

/** The groups whose direct member a user is by role. New accounts are full members at once: no waiting period is set. */
export function systemGroupsOf(role: number): SystemGroupName[] {
  if (role === 100) return ['role:owners'];
  if (role === 200) return ['role:administrators'];
  if (role === 300) return ['role:moderators'];
  if (role === 400) return ['role:fullmembers', 'role:members'];
  return ['role:everyone'];
}
