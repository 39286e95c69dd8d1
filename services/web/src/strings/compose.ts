import { catalogue, icu } from './catalogue.ts';
import { enumerate } from './language.ts';

/** The compose box. */
export const composeText = catalogue('compose', {
  form: 'Compose message',
  toChannel: 'New message',
  toPeople: 'New direct message',
  write: 'Write a message',
  close: 'Close',
  message: 'Message',
  placeholder: icu('Message {target}', 'target'),
  length: icu('{length} of {max} characters', 'length', 'max'),
  send: 'Send',
  sendAnyway: 'Send anyway',
  sendLater: 'Schedule message',
  howToSend: 'How to send',
  enterSends: 'Press Enter to send',
  ctrlEnterSends: 'Press Ctrl+Enter to send',
  scheduled: icu('Your message will be sent on {time}.', 'time'),
  commandDone: 'Done.',
});

/** What a message is addressed to, within “Message …”. */
export const targetText = catalogue('target', {
  someone: 'someone',
  yourself: 'yourself',
  channel: 'a channel',
});

/** The fields in which the recipients of a message are chosen. */
export const recipientText = catalogue('recipient', {
  channel: 'Channel',
  topicIn: icu('Topic in {channel}', 'channel'),
  topicRequired: 'Topic (required)',
  people: 'To',
  addPeople: 'Add people',
});

/** The tools of the compose box. */
export const toolText = catalogue('tool', {
  label: 'Formatting',
  tools: 'Tools',
  bold: 'Bold',
  italic: 'Italic',
  strike: 'Strikethrough',
  code: 'Code',
  link: 'Link',
  list: 'Bulleted list',
  quote: 'Quote',
  spoiler: 'Spoiler',
  math: 'Formula',
  expand: 'Expand',
  shrink: 'Shrink',
  emoji: 'Emoji',
  attach: 'Attach files',
  files: 'Files',
  snippets: 'Saved snippets',
  discard: 'Discard draft',
  call: 'Add a call',
  joinCall: 'Join video call.',
});

/** Texts that somebody keeps to use them again. */
export const snippetText = catalogue('snippet', {
  save: icu('Save “{title}”', 'title'),
  saved: 'Snippet saved.',
  delete: icu('Delete “{title}”', 'title'),
  none: 'You have no saved snippets.',
});

export const uploadText = catalogue('upload', {
  drop: 'Drop files here to attach them.',
  progress: icu('Uploading {name}', 'name'),
  cancel: icu('Cancel upload of {name}', 'name'),
  disabled: 'File uploads are turned off in this organization.',
  tooLarge: icu('{name} is larger than the limit of {mebibytes} MiB.', 'name', 'mebibytes'),
});

const typing = catalogue('typing', {
  several: 'Several people are typing…',
  people: icu('{count, plural, one {{names} is typing…} other {{names} are typing…}}', 'count', 'names'),
});

/** Says who is typing. */
export const typingText = (names: readonly string[]): string =>
  names.length > 3 ? typing.several : typing.people(names.length, enumerate(names));

/** What a writer should know before a message is sent. */
export const warningText = catalogue('warning', {
  deactivated: 'Your message includes people whose accounts are deactivated.',
  archived: icu('#{channel} is archived, so nobody can send messages to it.', 'channel'),
  notSubscribed: 'You aren’t subscribed to this channel, so you won’t be notified of replies.',
  manyPeople: icu(
    '{count, plural, one {This may notify # person.} other {This may notify # people.}}',
    'count',
  ),
});

/** What completion says about mentions and commands. */
export const completionText = catalogue('completion', {
  all: 'Everyone in this conversation',
  channel: 'Everyone in this channel',
  topic: 'Everyone who has posted in this topic',
  poll: 'Create a poll, with one option per line',
  todo: 'Create a to-do list, with one task per line',
  me: 'Describe what you’re doing',
  dark: 'Switch to the dark theme',
  light: 'Switch to the light theme',
  bot: 'Bot',
  groupOf: icu('{count, plural, one {Group with # member} other {Group with # members}}', 'count'),
});
