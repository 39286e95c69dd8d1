export { ActorChanged, accountOf, assertActorUnchanged } from './actor-changed.ts';
export { presentAccount, presentAccounts } from './accounts.ts';
export { listAdministratorIds } from './administrators.ts';
export { countUsers } from './count.ts';
export {
  countAccountsWithEmail,
  countOwners,
  findUserByEmail,
  getActiveActor,
  getUser,
  listAccountsWithEmail,
  listHumans,
  listUsers,
  listUsersByEmail,
} from './find.ts';
export { languageOfUser } from './language.ts';
export { listAccounts, presentAllAccounts } from './list.ts';
export { hashNewPassword } from './new-password.ts';
export { verifyPassword } from './password.ts';
export {
  isPasswordResetKeyOf,
  passwordResetKey,
  passwordResetPath,
  readPasswordResetKey,
} from './reset-key.ts';
export {
  type AvatarSize,
  type ShownUser,
  avatarSizes,
  avatarUrl,
  presentAvatar,
  presentUser,
  publicEmail,
  unknownSenderFields,
  usesGravatar,
} from './present.ts';
export { defaultSettingsState, legacySettingsState, settingsState } from './settings-state.ts';
export {
  type UserListName,
  type UserListViewer,
  hasOwnUserLists,
  listUserIds,
  ownEntries,
  ownUserState,
  presentListed,
  userListNames,
  userListOf,
  userListViewer,
} from './state.ts';
export { readShownUsers } from './shown.ts';
export { listAccountsPastWaitingPeriod } from './waiting-period.ts';
