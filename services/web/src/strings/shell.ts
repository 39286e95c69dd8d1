/** The frame of the page: its header, its columns and what it says of itself. */
export const shellText = {
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
};

export const themeText = {
  theme: 'Theme',
  system: 'Automatic',
  dark: 'Dark',
  light: 'Light',
};

export const aboutText = {
  product: 'Parley is a team chat server.',
  api: 'API documentation',
  version: (version: string, featureLevel: string) => `Version ${version}, feature level ${featureLevel}`,
};

/** The sidebar. */
export const sidebarText = {
  search: 'Search channels and conversations',
  searchPlaceholder: 'Search channels',
  topicsOf: (channel: string) => `Topics in ${channel}`,
  searchTopicsOf: (channel: string) => `Search topics in ${channel}`,
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
};
