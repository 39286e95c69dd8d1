export {
  assertPending,
  findInvitation,
  type Invitation,
  isPending,
  listInvitations,
  mayInviteAs,
} from './find.ts';
export { invitationKey, invitationUrl, readInvitationKey } from './key.ts';
export { presentInvitation } from './present.ts';
