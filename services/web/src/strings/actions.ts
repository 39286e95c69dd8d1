import { catalogue, icu } from './catalogue.ts';

/** What can be done with a message or a topic. */
export const actionText = catalogue('action', {
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
});

/** The dialog in which a message is deleted. */
export const deletionText = catalogue('deletion', {
  title: 'Delete this message?',
  warning: 'It will be deleted for everyone.',
  keep: 'Keep',
});

/** Who has read a message. */
export const readersText = catalogue('readers', {
  title: 'Read by',
  none: 'Nobody has read this message yet.',
});

/** The box in which a message is edited. */
export const editText = catalogue('edit', {
  form: 'Edit message',
  field: 'Message text',
  conflict: 'This message was changed in the meantime. If you save again, your version replaces it.',
  length: icu('{length} of {max} characters', 'length', 'max'),
});

/** The dialog in which messages are moved. */
export const moveText = catalogue('move', {
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
});

/** A message that was sent and is not confirmed. */
export const pendingText = catalogue('pending', {
  sending: 'Sending…',
  label: 'Message not sent',
  failed: icu('Not sent. {reason}', 'reason'),
  edit: 'Edit',
  discard: 'Discard',
});

export const reactionText = catalogue('reaction', {
  label: 'Reactions',
  add: 'Add reaction',
  button: icu('{emoji}: {names}', 'emoji', 'names'),
  counted: icu('{emoji}: {names}, {count} in all', 'emoji', 'names', 'count'),
});

/** The menu of a topic. */
export const topicText = catalogue('topic', {
  menu: 'Topic actions',
  menuOf: icu('Actions for topic {topic}', 'topic'),
  button: icu('Topic actions. Notifications: {policy}', 'policy'),
  resolve: 'Mark as resolved',
  unresolve: 'Mark as unresolved',
  move: 'Move or rename…',
  markRead: 'Mark as read',
  copyLink: 'Copy link',
  muted: 'Topic muted.',
  unmuted: 'Topic no longer muted.',
  empty: 'This topic no longer has any messages.',
});

/** Polls and to-do lists. */
export const widgetText = catalogue('widget', {
  poll: 'Poll',
  pollAbout: icu('Poll: {question}', 'question'),
  votes: icu('{option}: {count, plural, one {# vote} other {# votes}}', 'option', 'count'),
  addOption: 'New option',
  changeQuestion: 'New question',
  todo: 'To-do list',
  todoAbout: icu('To-do list: {title}', 'title'),
  addTask: 'New task',
});

/** The dialog in which a message is reported to the moderators. */
export const reportText = catalogue('report', {
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
  reported: 'The moderators have been notified.',
});
