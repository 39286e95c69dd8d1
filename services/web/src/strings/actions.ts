import { plural } from './language.ts';

/** What can be done with a message or a topic. */
export const actionText = {
  actions: 'Message actions',
  react: 'React',
  star: 'Star',
  reply: 'Reply',
  more: 'More',
  quote: 'Quote and reply',
  edit: 'Edit',
  move: 'Move…',
  delete: 'Delete…',
  resolve: 'Mark topic as resolved',
  unresolve: 'Mark topic as unresolved',
  markUnread: 'Mark as unread from here',
  markedUnread: 'Marked as unread from here.',
  markReadTo: 'Mark as read up to here',
  markedRead: 'Marked as read up to here.',
  remind: 'Remind me…',
  remindAbout: 'Remind me about this message',
  copyLink: 'Copy link',
  copied: 'Copied.',
  forward: 'Forward',
  source: 'View source',
  copySource: 'Copy as Markdown',
  collapse: 'Collapse',
  expand: 'Show collapsed message',
  readReceipts: 'Read receipts',
  report: 'Report message…',
};

/** The dialog in which a message is deleted. */
export const deletionText = {
  title: 'Delete this message?',
  warning: 'It will be deleted for everyone.',
  keep: 'Keep',
};

/** Who has read a message. */
export const readersText = {
  title: 'Read by',
  none: 'Nobody has read this message yet.',
};

/** The box in which a message is edited. */
export const editText = {
  form: 'Edit message',
  field: 'Message text',
  conflict: 'This message was changed in the meantime. If you save again, your version replaces it.',
  length: (length: number, max: number) => `${length} of ${max} characters`,
};

/** The dialog in which messages are moved. */
export const moveText = {
  title: 'Move messages',
  one: 'Only this message',
  later: 'This message and all later ones in this topic',
  all: 'All messages in this topic',
  channel: 'New channel',
  topic: 'New topic',
  scope: 'Messages to move',
  notifyOld: 'Notify the old topic',
  notifyNew: 'Notify the new topic',
  submit: 'Move',
};

/** A message that was sent and is not confirmed. */
export const pendingText = {
  sending: 'Sending…',
  label: 'Message not sent',
  failed: (reason: string) => `Not sent. ${reason}`,
  edit: 'Edit',
  discard: 'Discard',
};

export const reactionText = {
  label: 'Reactions',
  add: 'Add reaction',
  button: (emoji: string, names: string) => `${emoji}: ${names}`,
  counted: (emoji: string, names: string, count: number) => `${emoji}: ${names}, ${count} in all`,
};

/** The menu of a topic. */
export const topicText = {
  menu: 'Topic actions',
  menuOf: (topic: string) => `Actions for topic ${topic}`,
  button: (policy: string) => `Topic actions. Notifications: ${policy}`,
  resolve: 'Mark as resolved',
  unresolve: 'Mark as unresolved',
  move: 'Move or rename…',
  markRead: 'Mark as read',
  copyLink: 'Copy link',
  muted: 'Topic muted.',
  unmuted: 'Topic no longer muted.',
  empty: 'This topic no longer has any messages.',
};

/** Polls and to-do lists. */
export const widgetText = {
  poll: 'Poll',
  pollAbout: (question: string) => `Poll: ${question}`,
  votes: (option: string, count: number) =>
    `${option}: ${plural(count, { one: `${count} vote`, other: `${count} votes` })}`,
  addOption: 'New option',
  changeQuestion: 'New question',
  todo: 'To-do list',
  todoAbout: (title: string) => `To-do list: ${title}`,
  addTask: 'New task',
};

/** The dialog in which a message is reported to the moderators. */
export const reportText = {
  title: 'Report message',
  about: 'Moderators of this organization see the message, your name and what you write here.',
  reason: 'What’s wrong with it?',
  reasons: {
    spam: 'Spam',
    harassment: 'Harassment',
    inappropriate: 'Inappropriate content',
    norms: 'Against the rules of this organization',
    other: 'Something else',
  },
  explanation: 'Explanation (required for “Something else”)',
  submit: 'Report',
  reported: 'The moderators have been told.',
};
