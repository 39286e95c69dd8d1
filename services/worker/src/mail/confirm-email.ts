import type * as model from '@parley/model';

import type { Mail } from './mailer.ts';

/** The mail that asks for the confirmation of a new email address. */
export const confirmEmailMail = (change: model.emailChanges.EmailChangeMail, link: string): Mail => ({
  to: change.newEmail,
  subject: `Confirm your new email address for ${change.realmName}`,
  text: `${change.fullName} asked to change the email address of an account of ${change.realmName} (${change.realm.url})
from ${change.oldEmail} to ${change.newEmail}.

If that was you, open this link within a day:

${link}

If it was not, do nothing: the address stays as it is.
`,
});
