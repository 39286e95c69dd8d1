import { catalogue, icu } from './catalogue.ts';

/** The frame of the page: its header, its columns and what it says of itself. */
export const shellText = catalogue('shell', {
  skipToMain: 'Skip to main content',
  conversations: 'Conversations',
  people: 'People',
  home: 'Home',
  back: 'Back to messages',
  resize: 'Width of the sidebar',
  menu: 'Menu',
  status: 'Set status',
  logOut: 'Log out',
  keys: 'Keyboard shortcuts',
  dismiss: 'Dismiss',
  offline: 'You’re offline. What you see may be out of date.',
  reconnect: 'Reconnect',
  failure: 'Something went wrong in this part of the page.',
  reload: 'Reload page',
  nothingToChange: 'You don’t have permission to change anything here.',
});

export const themeText = catalogue('theme', {
  theme: 'Theme',
  system: 'Automatic',
  dark: 'Dark',
  light: 'Light',
});

export const aboutText = catalogue('about', {
  product: 'Parley is a team chat server.',
  api: 'API documentation',
  version: icu('Version {version}, feature level {featureLevel}', 'version', 'featureLevel'),
});

/** The sidebar. */
export const sidebarText = catalogue('sidebar', {
  search: 'Search channels and conversations',
  searchPlaceholder: 'Search channels',
  topicsOf: icu('Topics in {channel}', 'channel'),
  searchTopicsOf: icu('Search topics in {channel}', 'channel'),
  searchTopics: 'Search topics',
  private: 'private',
  followed: 'Followed',
  moreTopics: 'Show more topics',
  fewerTopics: 'Show fewer topics',
  moreConversations: 'Show more conversations',
  fewerConversations: 'Show fewer conversations',
  pinned: 'Pinned channels',
  channels: 'Channels',
  noChannels: 'There are no channels.',
  noUnreadTopic: 'There are no other topics with unread messages.',
  noUnreadFollowed: 'There is nothing unread in the topics that you follow.',
  noUnreadDirect: 'There are no other direct messages to read.',
});
