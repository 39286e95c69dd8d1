export { type EmailChangeMail, findEmailChangeMail, getPendingEmail, listDueEmailChanges } from './find.ts';
export { emailChangeKey, emailChangePath, readEmailChangeKey } from './key.ts';
