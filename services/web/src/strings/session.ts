import { catalogue, icu } from './catalogue.ts';

/** Signing in. */
export const sessionText = catalogue('session', {
  forgotPassword: 'Forgot your password?',
  logInWith: icu('Log in with {service}', 'service'),
  emailOrUsername: 'Email address or username',
  spectate: 'View without an account',
  wrongInvitation: 'That isn’t an invitation link for this organization.',
  hasInvitation: 'I have an invitation link',
  invitation: 'Invitation link',
  open: 'Continue',
  unreachable: 'Parley can’t be reached',
  ended: 'Your session has ended. Log in again to continue. What you were writing is kept.',
  logInToView: 'Log in to view this page.',
});
