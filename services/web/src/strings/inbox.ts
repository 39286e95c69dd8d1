/** The inbox. */
export const inboxText = {
  markAll: 'Mark all as read',
  confirmMarkAll: 'Mark all of these messages as read?',
  markRead: (name: string) => `Mark ${name} as read`,
  empty: 'You’re all caught up.',
  followed: 'Followed',
  mentioned: 'You were mentioned',
};

/** Counts of unread messages, as screen readers say them. */
export const unreadText = {
  mentioned: 'mentions you,',
  unread: 'unread',
};
