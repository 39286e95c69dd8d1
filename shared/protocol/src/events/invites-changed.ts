import { event } from './family.ts';

/** The list of invitations changed. Sent to administrators and to who invited, whose clients fetch the list again. */
export const invitesChanged = event('invites_changed', {});
