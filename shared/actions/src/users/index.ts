export { assertMayChangeAvatar, changeAvatar } from './change-avatar.ts';
export { create } from './create.ts';
export { editSettings } from './edit-settings.ts';
export { edit } from './edit.ts';
export { assertOwner, isOnlyOwner } from './owners.ts';
export { assertMayCreateUsers } from './permissions.ts';
export { endApiKey, regenerateKey } from './regenerate-key.ts';
export { roleGroupEvents } from './role.ts';
export { endWaitingPeriods, fullMemberEvents } from './full-members.ts';
