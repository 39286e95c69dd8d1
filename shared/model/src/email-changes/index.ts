export { type EmailChangeMail, findEmailChangeMail, listDueEmailChanges } from './find.ts';
export { emailChangeKey, emailChangePath, readEmailChangeKey } from './key.ts';
