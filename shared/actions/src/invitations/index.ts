export { accept, acceptWithoutPassword } from './accept.ts';
export { createLink } from './create-link.ts';
export { inviteByEmail } from './invite.ts';
export { joinByLink } from './join-by-link.ts';
export { forgetOld } from './forget-old.ts';
export { resend } from './resend.ts';
export { revoke, revokeOfInviters } from './revoke.ts';
