import { listNames } from './language.ts';

/** The search field. */
export const searchText = {
  remove: (term: string) => `Remove filter ${term}`,
  exclude: (description: string) => `Exclude: ${description}`,
  you: 'You',
  unknownOperator: (name: string) => `“${name}” isn’t a search operator.`,
  missingOperand: (name: string) => `Add a value after “${name}:”.`,
  wrongChoice: (name: string, choices: readonly string[]) =>
    `The value of “${name}:” must be one of: ${listNames(choices)}.`,
  notDay: (name: string) => `The value of “${name}:” must be a day such as 2026-03-09.`,
  notMessageId: (name: string) => `The value of “${name}:” must be a message ID.`,
};

/** What each search operator finds. */
export const operatorText = {
  channel: 'Messages in a channel',
  topic: 'Messages in a topic',
  sender: 'Messages from a user',
  dm: 'Direct messages with one or more users',
  dmIncluding: 'All direct messages that include a user',
  is: 'Messages by status',
  has: 'Messages by content',
  in: 'Messages in your feed, or all messages',
  channels: 'Messages in all channels of a kind',
  id: 'A single message',
  with: 'The conversation that contains a message',
  mentions: 'Messages that mention a user',
  near: 'Begin at a message',
  date: 'Begin at a day',
};

/** The dialog in which one chooses a day. */
export const dateText = {
  title: 'Jump to a date',
  day: 'Date',
  submit: 'Show messages',
  wrong: 'Enter a date.',
  none: 'There are no messages here.',
};
