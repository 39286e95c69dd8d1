import { catalogue } from './catalogue.ts';

/** The recent conversations. */
export const recentText = catalogue('recent', {
  filters: 'Filters',
  kind: 'Conversation type',
  all: 'All',
  topics: 'Topics',
  direct: 'Direct messages',
  unread: 'Unread',
  participated: 'Participated',
  includeMuted: 'Include muted',
  search: 'Search conversations',
  empty: 'No conversations match your filters.',
  clear: 'Clear filters',
  loadMore: 'Load older conversations',
});
