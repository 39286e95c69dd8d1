import { plural } from './language.ts';

/** What can be done with a channel from its row or its page. */
export const channelMenuText = {
  menu: (channel: string) => `Actions for ${channel}`,
  newTopicIn: (channel: string) => `New topic: ${channel}`,
  newTopic: 'New topic',
  markRead: 'Mark channel as read',
  mute: 'Mute channel',
  unmute: 'Unmute channel',
  pin: 'Pin to the top',
  unpin: 'Unpin',
  color: 'Change color…',
  copyLink: 'Copy link to channel',
  topics: 'List of topics',
  settings: 'Channel settings',
  subscribe: 'Subscribe',
  leave: 'Unsubscribe',
  left: (channel: string) => `You’re no longer subscribed to ${channel}.`,
  confirmLeave: (channel: string) =>
    `Unsubscribe from ${channel}? It is private: you can’t come back unless somebody adds you.`,
  colorTitle: 'Color of the channel',
  suggested: 'Suggested colors',
  otherColor: 'Another color',
  /** The colors that are offered, by their names. */
  colors: {
    '#d94f4f': 'Red',
    '#e27a3f': 'Orange',
    '#d9a21b': 'Amber',
    '#8fa52e': 'Olive',
    '#4fa64f': 'Green',
    '#2fa58c': 'Teal',
    '#2f9fb8': 'Cyan',
    '#4a86e0': 'Blue',
    '#6a6ae0': 'Indigo',
    '#9a5fd6': 'Violet',
    '#c756b3': 'Magenta',
    '#d9568a': 'Pink',
  },
};

/** What can be done with a direct conversation or the person in it. */
export const directMenuText = {
  menu: (names: string) => `Actions for ${names}`,
  markRead: 'Mark conversation as read',
  copyLink: 'Copy link to conversation',
  profile: 'View profile',
  mute: 'Mute this person',
  unmute: 'Unmute this person',
};

/** The list of the channels, and the page of one. */
export const channelsText = {
  title: 'Channels',
  browse: 'Browse channels',
  create: 'Create a channel',
  filters: 'Filters',
  search: 'Search channels by name or description',
  which: 'Which channels',
  shown: { all: 'All channels', subscribed: 'Subscribed', others: 'Not subscribed' },
  count: (count: number) => plural(count, { one: `${count} channel`, other: `${count} channels` }),
  none: 'No channels match your filters.',
  subscribers: (count: number) =>
    plural(count, { one: `${count} subscriber`, other: `${count} subscribers` }),
  view: 'View messages',
  viewOf: (channel: string) => `View messages in ${channel}`,
  pageTitle: (channel: string) => `#${channel}: settings`,
  gone: 'This channel doesn’t exist, or you don’t have access to it.',
  own: 'Your settings',
  muted: 'Mute this channel',
  pinned: 'Pin it to the top of the sidebar',
  desktop: 'Desktop notifications',
  sounds: 'Sounds',
  push: 'Mobile notifications',
  emails: 'Email notifications',
  wildcards: 'Notifications for @all mentions',
  searchSubscribers: 'Search subscribers',
  searchOrAdd: 'Search subscribers, or people to add',
  notSubscribed: 'Not subscribed',
  removeFrom: (person: string, channel: string) => `Remove ${person} from ${channel}`,
  addTo: (person: string, channel: string) => `Add ${person} to ${channel}`,
};

/** The topics of a channel, as a page. */
export const topicsText = {
  topics: 'Topics',
  title: (channel: string) => `Topics of #${channel}`,
  which: 'Which topics',
  shown: {
    all: 'All topics',
    unread: 'Unread',
    followed: 'Followed',
    unresolved: 'Not resolved',
    resolved: 'Resolved',
  },
  count: (count: number) => plural(count, { one: `${count} topic`, other: `${count} topics` }),
  none: 'No topics match your filters.',
  newest: (sender: string, time: string) => `${sender}, ${time}`,
};
