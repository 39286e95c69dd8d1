export { assertAdministrator, assertHuman, assertMember, assertOwner } from './assert.ts';
export { assertExpectedSetting, isSameSetting, parseGroupSetting } from './group-setting.ts';
export { getRules, type Rules } from './rules.ts';
export { type Member, systemGroups, systemGroupsOf } from './system-groups.ts';
