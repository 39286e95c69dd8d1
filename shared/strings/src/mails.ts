import { catalogue } from './catalogue.ts';
import { icu } from './texts.ts';

/** What mails say. */
export const mailText = catalogue('mail', {
  hello: icu('Hello {name},', 'name'),
  labelled: icu('{label}: {address}', 'label', 'address'),
  unsubscribe: 'Unsubscribe',
  welcome: {
    subject: icu('Welcome to {organization}', 'organization'),
    ready: icu('Welcome, {name}! Your account at {organization} is ready.', 'name', 'organization'),
    logIn: icu(
      'To log in, go to {address}, or enter that address in an app. Your email address there is {email}.',
      'address',
      'email',
    ),
  },
  invitation: {
    subject: icu('{inviter} invited you to {organization}', 'inviter', 'organization'),
    invited: icu(
      '{inviter} invited you to join {organization} ({address}).',
      'inviter',
      'organization',
      'address',
    ),
    subjectAsked: icu('Join {organization}', 'organization'),
    asked: icu(
      'Somebody, probably you, asked to join {organization} ({address}).',
      'organization',
      'address',
    ),
    open: 'To create your account, open this link:',
    openBy: icu('To create your account, open this link by {time}:', 'time'),
    ignore: 'If you do not want an account, ignore this email.',
    subjectKnown: icu('You already have an account at {organization}', 'organization'),
    known: icu(
      'Somebody asked for an account at {organization} with this email address. You already have one: log in at {address}.',
      'organization',
      'address',
    ),
  },
  passwordReset: {
    subject: icu('Your password at {organization}', 'organization'),
    asked: icu(
      'Somebody, probably you, asked for a new password for your account at {organization} ({address}).',
      'organization',
      'address',
    ),
    deactivated: icu(
      'Your account is deactivated. To use it again, ask an administrator of {organization}.',
      'organization',
    ),
    open: 'To choose a new password, open this link within an hour:',
    once: 'The link works once. You will be logged out everywhere, and your API key will change.',
    ignore: 'If you did not ask for this, ignore this email: your password stays as it is.',
  },
  confirmEmail: {
    subject: icu('Confirm your new email address for {organization}', 'organization'),
    asked: icu(
      'You asked to change the email address of your account at {organization} ({address}) from {oldEmail} to {newEmail}.',
      'organization',
      'address',
      'oldEmail',
      'newEmail',
    ),
    open: 'To confirm the new address, open this link within a day:',
    ignore: 'If you did not ask for this, ignore this email: your address will not change.',
  },
  emailChanged: {
    subject: icu('Your email address at {organization} has changed', 'organization'),
    changed: icu(
      'The email address of your account at {organization} ({address}) is now {newEmail}. Use it the next time you log in. We will send your email there.',
      'organization',
      'address',
      'newEmail',
    ),
    alarm: icu(
      'If you did not change it, contact an administrator of {organization} right away.',
      'organization',
    ),
  },
  digest: {
    subject: icu('Your week in {organization}', 'organization'),
    intro: icu('Your unread messages of the last week in {organization}:', 'organization'),
    channels: icu('Channels: {count, plural, one {# message} other {# messages}}', 'count'),
    topic: icu(
      '{place}: {messages, plural, one {# message} other {# messages}} from {people, plural, one {# person} other {# people}}',
      'place',
      'messages',
      'people',
    ),
    direct: icu('Direct messages: {count, plural, one {# message} other {# messages}}', 'count'),
    open: icu('Open {organization}', 'organization'),
  },
  missed: {
    count: icu('You have {count, plural, one {# new message} other {# new messages}}', 'count'),
    countIn: icu(
      'You have {count, plural, one {# new message} other {# new messages}} in {organization}.',
      'count',
      'organization',
    ),
    heading: icu('{sender} in {place}', 'sender', 'place'),
    direct: icu('Direct messages with {names}', 'names'),
    more: icu('And {count} more.', 'count'),
    read: 'Read and reply',
    readIn: icu('Read and reply in {organization}', 'organization'),
    why: 'You get this email because you were away. Nobody reads replies to it.',
  },
});
