/** The list of keyboard shortcuts. */
export const keyText = {
  title: 'Keyboard shortcuts',
  help: 'Show keyboard shortcuts',
  search: 'Search',
  escape: 'Close, or stop writing',
  sidebar: 'Search channels',
  people: 'Search people',
  nextTopic: 'Next unread topic',
  nextDirect: 'Next unread direct message',
  compose: 'New message',
  composeDirect: 'New direct message',
  down: 'Next',
  up: 'Previous',
  open: 'Open',
  markRead: 'Mark as read',
  pageDown: 'Page down',
  pageUp: 'Page up',
  first: 'First message',
  last: 'Last message',
  narrowTopic: 'Go to topic',
  reply: 'Reply',
  quote: 'Quote and reply',
  edit: 'Edit',
  react: 'React',
  star: 'Star or unstar',
  markUnread: 'Mark as unread from here',
  move: 'Move',
  send: 'Send',
};

/** Where a key is valid. */
export const keyScopeText = {
  anywhere: 'Anywhere',
  inList: 'In lists',
  inMessages: 'In message lists',
  atMessage: 'On the selected message',
  writing: 'While writing',
};
