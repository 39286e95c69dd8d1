export { changeMembers } from './change-members.ts';
export { create } from './create.ts';
export { deactivate } from './deactivate.ts';
export { edit } from './edit.ts';
export { memberEvents } from './events.ts';
export { listOfferedGroups } from './offered.ts';
