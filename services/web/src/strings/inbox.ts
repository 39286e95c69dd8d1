/** The inbox. */
export const inboxText = {
  markAll: 'Mark all as read',
  confirmMarkAll: 'Mark all of these messages as read?',
  markRead: (name: string) => `Mark ${name} as read`,
  filters: 'Filters',
  which: 'Which topics',
  shown: { all: 'All topics', unmuted: 'Unmuted topics', followed: 'Followed topics' },
  search: 'Search unread conversations',
  fold: (section: string) => `Conversations of ${section}`,
  none: {
    all: 'You’re all caught up.',
    unmuted: 'You’re all caught up.',
    followed: 'There is nothing unread in the topics that you follow.',
  },
  noMatch: 'No unread conversations match.',
  muted: 'Muted',
  followed: 'Followed',
  mentioned: 'You were mentioned',
};

/** Counts of unread messages, as screen readers say them. */
export const unreadText = {
  mentioned: 'mentions you,',
  unread: 'unread',
};
