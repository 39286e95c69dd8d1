import { catalogue, icu } from './catalogue.ts';

/** The inbox. */
export const inboxText = catalogue('inbox', {
  markAll: 'Mark all as read',
  confirmMarkAll: 'Mark all of these messages as read?',
  markRead: icu('Mark {name} as read', 'name'),
  filters: 'Filters',
  which: 'Which topics',
  shown: { all: 'All topics', unmuted: 'Unmuted topics', followed: 'Followed topics' },
  search: 'Search unread conversations',
  fold: icu('Conversations of {section}', 'section'),
  none: {
    all: 'You’re all caught up.',
    unmuted: 'You’re all caught up.',
    followed: 'There is nothing unread in the topics that you follow.',
  },
  noMatch: 'No unread conversations match.',
  muted: 'Muted',
  followed: 'Followed',
  mentioned: 'You were mentioned',
});

/** Counts of unread messages, as screen readers say them. */
export const unreadText = catalogue('unread', {
  mentioned: 'mentions you,',
  unread: 'unread',
});
