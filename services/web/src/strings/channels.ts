import { catalogue, icu } from './catalogue.ts';

/** What can be done with a channel from its row or its page. */
export const channelMenuText = catalogue('channelMenu', {
  menu: icu('Actions for {channel}', 'channel'),
  newTopicIn: icu('New topic: {channel}', 'channel'),
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
  left: icu('You’re no longer subscribed to {channel}.', 'channel'),
  confirmLeave: icu(
    'Unsubscribe from {channel}? It is private: you can’t come back unless somebody adds you.',
    'channel',
  ),
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
});

/** What can be done with a direct conversation or the person in it. */
export const directMenuText = catalogue('directMenu', {
  menu: icu('Actions for {names}', 'names'),
  markRead: 'Mark conversation as read',
  copyLink: 'Copy link to conversation',
  profile: 'View profile',
  mute: 'Mute this person',
  unmute: 'Unmute this person',
});

/** The list of the channels, and the page of one. */
export const channelsText = catalogue('channels', {
  title: 'Channels',
  browse: 'Browse channels',
  create: 'Create a channel',
  filters: 'Filters',
  search: 'Search channels by name or description',
  which: 'Which channels',
  shown: { all: 'All channels', subscribed: 'Subscribed', others: 'Not subscribed' },
  count: icu('{count, plural, one {# channel} other {# channels}}', 'count'),
  none: 'No channels match your filters.',
  subscribers: icu('{count, plural, one {# subscriber} other {# subscribers}}', 'count'),
  view: 'View messages',
  viewOf: icu('View messages in {channel}', 'channel'),
  pageTitle: icu('#{channel}: settings', 'channel'),
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
  removeFrom: icu('Remove {person} from {channel}', 'person', 'channel'),
  addTo: icu('Add {person} to {channel}', 'person', 'channel'),
});

/** The topics of a channel, as a page. */
export const topicsText = catalogue('topics', {
  topics: 'Topics',
  title: icu('Topics of #{channel}', 'channel'),
  which: 'Which topics',
  shown: {
    all: 'All topics',
    unread: 'Unread',
    followed: 'Followed',
    unresolved: 'Not resolved',
    resolved: 'Resolved',
  },
  count: icu('{count, plural, one {# topic} other {# topics}}', 'count'),
  none: 'No topics match your filters.',
  newest: icu('{sender}, {day}, {time}', 'sender', 'day', 'time'),
});

/** The channels that somebody is subscribed to, and others. */
export const subscriptionText = catalogue('subscription', {
  subscribed: 'Subscribed channels',
  color: 'Color',
  pinned: 'Pinned',
  muted: 'Muted',
  notifications: 'Desktop notifications',
  leave: 'Unsubscribe',
  others: 'Other channels',
  noOthers: 'There are no other channels.',
  subscribers: icu('({count})', 'count'),
  join: 'Subscribe',
  joinChannel: icu('Subscribe to {name}', 'name'),
  leaveChannel: icu('Unsubscribe from {name}', 'name'),
  colorOf: icu('Color of {name}', 'name'),
  pin: icu('Pin {name}', 'name'),
  mute: icu('Mute {name}', 'name'),
  notificationsOf: icu('Desktop notifications for {name}', 'name'),
  default: 'Default',
  always: 'Always',
  never: 'Never',
});
