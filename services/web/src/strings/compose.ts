import { enumerate, plural } from './language.ts';

/** The compose box. */
export const composeText = {
  form: 'Compose message',
  toChannel: 'New message',
  toPeople: 'New direct message',
  write: 'Write a message',
  close: 'Close',
  message: 'Message',
  placeholder: (target: string) => `Message ${target}`,
  length: (length: number, max: number) => `${length} of ${max} characters`,
  send: 'Send',
  sendAnyway: 'Send anyway',
  sendLater: 'Schedule message',
  howToSend: 'How to send',
  enterSends: 'Press Enter to send',
  ctrlEnterSends: 'Press Ctrl+Enter to send',
  scheduled: (time: string) => `Your message will be sent on ${time}.`,
  commandDone: 'Done.',
};

/** What a message is addressed to, within “Message …”. */
export const targetText = {
  someone: 'someone',
  yourself: 'yourself',
  channel: 'a channel',
};

/** The fields in which the recipients of a message are chosen. */
export const recipientText = {
  channel: 'Channel',
  topicIn: (channel: string) => `Topic in ${channel}`,
  topicRequired: 'Topic (required)',
  people: 'To',
  addPeople: 'Add people',
};

/** The tools of the compose box. */
export const toolText = {
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
};

/** Texts that somebody keeps to use them again. */
export const snippetText = {
  save: (title: string) => `Save “${title}”`,
  saved: 'Snippet saved.',
  delete: (title: string) => `Delete “${title}”`,
  none: 'You have no saved snippets.',
};

export const uploadText = {
  drop: 'Drop files here to attach them.',
  progress: (name: string) => `Uploading ${name}`,
  cancel: (name: string) => `Cancel upload of ${name}`,
  disabled: 'File uploads are turned off in this organization.',
  tooLarge: (name: string, mebibytes: number) => `${name} is larger than the limit of ${mebibytes} MiB.`,
};

/** Says who is typing. */
export function typingText(names: readonly string[]): string {
  if (names.length > 3) return 'Several people are typing…';
  return plural(names.length, {
    one: `${enumerate(names)} is typing…`,
    other: `${enumerate(names)} are typing…`,
  });
}

/** What a writer should know before a message is sent. */
export const warningText = {
  deactivated: 'Your message includes people whose accounts are deactivated.',
  archived: (channel: string) => `#${channel} is archived, so nobody can send messages to it.`,
  notSubscribed: 'You aren’t subscribed to this channel, so you won’t be notified of replies.',
  manyPeople: (count: number) =>
    plural(count, { one: `This may notify ${count} person.`, other: `This may notify ${count} people.` }),
};

/** What completion says about mentions and commands. */
export const completionText = {
  all: 'Everyone in this conversation',
  channel: 'Everyone in this channel',
  topic: 'Everyone who has posted in this topic',
  poll: 'Create a poll, with one option per line',
  todo: 'Create a to-do list, with one task per line',
  me: 'Describe what you’re doing',
  dark: 'Switch to the dark theme',
  light: 'Switch to the light theme',
  bot: 'Bot',
  groupOf: (count: number) =>
    plural(count, { one: `Group with ${count} member`, other: `Group with ${count} members` }),
};
