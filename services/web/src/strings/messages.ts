import { catalogue, icu } from './catalogue.ts';

/** Lists of messages. */
export const messageText = catalogue('message', {
  region: 'Messages',
  new: 'New messages',
  collapsed: 'Show collapsed message',
  hidden: 'Show message from a muted person',
  mutedPerson: 'Muted person',
  showMore: 'Show more',
  showLess: 'Show less',
  firstUnread: 'First unread',
  newest: 'Newest',
  newestUnread: icu('Newest ({unread} unread)', 'unread'),
  corrected: icu('No messages contain “{written}”. Showing results for: {words}.', 'written', 'words'),
  edited: 'edited',
  moved: 'moved',
  starred: 'Starred',
  label: icu('{sender}, {time}', 'sender', 'time'),
  announced: icu('{sender}: {text}', 'sender', 'text'),
  today: 'Today',
  yesterday: 'Yesterday',
  printLoading: 'Loading messages to print…',
  printEarlier: 'There are earlier messages, which are not printed.',
  printLater: 'There are later messages, which are not printed.',
});

/** What a list without messages says. */
export const emptyListText = catalogue('emptyList', {
  'is/starred': 'You have no starred messages. Star a message to find it here later.',
  'is/mentioned': 'Nobody has mentioned you yet.',
  'is/unread': 'You’re all caught up.',
  'is/alerted': 'None of your alert words have been used yet.',
  'is/followed': 'There are no messages in the topics you follow.',
  'is/dm': 'You have no direct messages yet.',
  search: 'No messages found. Try other words, or fewer of them.',
  changeSearch: 'Change search',
  write: 'Write a message',
  writable: 'No messages yet. Be the first to write one.',
  other: 'There are no messages here.',
});

/** What is added to the HTML of a message. */
export const contentText = catalogue('content', {
  copied: 'Copied.',
  copy: 'Copy',
  openIn: icu('Open in {playground}', 'playground'),
  hide: 'Hide',
  missing: icu('Couldn’t load {name}', 'name'),
  picture: 'Image',
  show: 'Show',
  spoiler: 'Spoiler',
  openOriginal: 'Open original',
});

/** The history of a message. */
export const historyText = catalogue('history', {
  title: 'Edit history',
  topic: 'Topic:',
  channel: 'Channel:',
});

/** Desktop notifications. */
export const notificationText = catalogue('notification', {
  hiddenDirect: 'New direct message',
});

/** Pictures as large as the window. */
export const pictureText = catalogue('picture', {
  position: icu('{at} of {count}', 'at', 'count'),
  previous: 'Previous image',
  next: 'Next image',
  larger: 'Zoom in',
  smaller: 'Zoom out',
  download: 'Download',
});
