/** Lists of messages. */
export const messageText = {
  region: 'Messages',
  new: 'New messages',
  collapsed: 'Show collapsed message',
  hidden: 'Show message of a muted person',
  mutedPerson: 'Muted person',
  showMore: 'Show more',
  showLess: 'Show less',
  firstUnread: 'First unread',
  newest: 'Newest',
  newestUnread: (unread: number) => `Newest (${unread} unread)`,
  edited: 'edited',
  moved: 'moved',
  starred: 'Starred',
  label: (sender: string, time: string) => `${sender}, ${time}`,
  announced: (sender: string, text: string) => `${sender}: ${text}`,
  today: 'Today',
  yesterday: 'Yesterday',
};

/** What a list without messages says. */
export const emptyListText = {
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
} as const;

/** What is added to the HTML of a message. */
export const contentText = {
  copied: 'Copied.',
  copy: 'Copy',
  openIn: (playground: string) => `Open in ${playground}`,
  hide: 'Hide',
  missing: (name: string) => `Couldn’t load ${name}`,
  picture: 'Image',
  show: 'Show',
  spoiler: 'Spoiler',
  openOriginal: 'Open original',
};

/** The history of a message. */
export const historyText = {
  title: 'Edit history',
  topic: 'Topic:',
  channel: 'Channel:',
};

/** Desktop notifications. */
export const notificationText = {
  hiddenDirect: 'New direct message',
};

/** Pictures as large as the window. */
export const pictureText = {
  position: (at: number, count: number) => `${at} of ${count}`,
  previous: 'Previous image',
  next: 'Next image',
  larger: 'Zoom in',
  smaller: 'Zoom out',
  download: 'Download',
};
