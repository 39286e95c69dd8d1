export { getUserGroup, listUserGroupsById } from './find.ts';
export {
  inGroupsCondition,
  isDirectMember,
  listDirectSubgroups,
  listMembers,
  listSubgroups,
} from './members.ts';
export { permissionsOf, presentUserGroup } from './present.ts';
export { userGroupsState } from './state.ts';
export { findGroupUses } from './uses.ts';
