import { catalogue } from './catalogue.ts';
import { icu } from './texts.ts';

/** What the server's own pages say. */
export const pageText = catalogue('page', {
  logIn: {
    title: 'Log in',
    titleOf: icu('Log in to {organization}', 'organization'),
    username: 'Email address or username',
    password: 'Password',
    forgotten: 'Forgot your password?',
    external: icu('Log in with {provider}', 'provider'),
    loggedIn: 'You are logged in',
    loggedInAs: icu('You are logged in as {name} ({email}).', 'name', 'email'),
    open: 'Open the chat',
    logOut: 'Log out',
    loggedOut: 'You are logged out',
    again: 'Log in again',
  },
  passwordReset: {
    title: 'Forgot your password?',
    email: 'Your email address',
    send: 'Send a link',
    sent: icu(
      'If there is an account with the email address {email}, we have sent a link to it. It works for an hour.',
      'email',
    ),
    titleNew: 'Choose a new password',
    account: icu('For the account with the email address {email}:', 'email'),
    password: 'New password',
    change: 'Change password',
    changed: 'Your password has been changed',
    consequences: 'You have been logged out everywhere, and your API key has changed.',
  },
  join: {
    title: 'Invitation',
    titleOf: icu('Join {organization}', 'organization'),
    email: 'Your email address',
    send: 'Send the invitation',
    sent: icu('We have sent an email to {email}. Open the link in it to create your account.', 'email'),
    account: icu('Your account will use the email address {email}.', 'email'),
    name: 'Your name',
    password: 'Choose a password',
    submit: 'Join',
    welcome: icu('Welcome to {organization}', 'organization'),
    ready: icu(
      '{name}, your account is ready. Log in with {email} at {address}.',
      'name',
      'email',
      'address',
    ),
  },
  confirmEmail: {
    title: 'Your email address',
    ask: icu('Use {email} as the email address of your account?', 'email'),
    confirm: 'Confirm',
    confirmed: icu('Your email address is now {email}. Use it the next time you log in.', 'email'),
  },
  unsubscribe: {
    title: 'Emails about missed messages',
    ask: icu('Stop emails from {organization} about messages that you have missed?', 'organization'),
    submit: 'Unsubscribe',
    done: icu(
      '{organization} will no longer email you about messages that you have missed. You can turn these emails back on in the settings of your app.',
      'organization',
    ),
  },
  integrations: {
    title: 'Integrations',
    intro: 'These products can tell your channels what happens in them.',
    code: 'Code and builds',
    alerts: 'Alerts',
    work: 'Work and payments',
    anything: 'Everything else',
    steps: 'Set up in three steps',
    bot: 'In the settings, under “Bots”, create a bot of the type “Incoming webhook” and copy its API key.',
    open: icu('In {product}, open:', 'product'),
    paste: 'Enter this address there, with the API key of the bot and the name of a channel:',
    body: 'Content to be sent:',
    signed: icu(
      '{product} signs what it sends. Set the same secret on the bot, and what is not signed with it is refused:',
      'product',
    ),
    looks: 'How it looks',
    events: 'Events',
    choose: 'To be told of some events only, or to leave some out, add one of these to the address:',
    documentation: icu('What {product} sends', 'product'),
    all: 'All integrations',
  },
  external: {
    title: 'Signing in',
    again: 'Try again',
  },
});

/** The same in one language. */
export type PageTexts = Awaited<ReturnType<typeof pageText>>;
