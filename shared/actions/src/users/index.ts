export { assertMayChangeAvatar, changeAvatar } from './change-avatar.ts';
export { create, createByAdministrator } from './create.ts';
export { editSettings } from './edit-settings.ts';
export { edit, editAccount } from './edit.ts';
export { isOnlyOwner } from './owners.ts';
export { endApiKey, regenerateKey } from './regenerate-key.ts';
export { roleGroupEvents } from './role.ts';
export { endWaitingPeriods, fullMemberEvents } from './full-members.ts';
