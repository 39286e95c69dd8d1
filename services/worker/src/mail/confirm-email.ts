import type * as model from '@parley/model';

import type { Mail } from './mailer.ts';

/** Writes the mail that asks somebody to confirm their new email address. */
export const confirmEmailMail = (change: model.emailChanges.EmailChangeMail, link: string): Mail => ({
  to: change.newEmail,
  subject: `Confirm your new email address for ${change.realmName}`,
  text: `Hello ${change.fullName},

You asked to change the email address of your account at ${change.realmName} (${change.realm.url})
from ${change.oldEmail} to ${change.newEmail}.

To confirm the new address, open this link within a day:

${link}

If you did not ask for this, ignore this email: your address will not change.
`,
});
