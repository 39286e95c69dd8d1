import { catalogue } from './catalogue.ts';

/** The names of the views, as the sidebar, the list of keys, their headings and the page's title say them. */
export const viewText = catalogue('view', {
  about: 'About',
  channels: 'Channels',
  drafts: 'Drafts',
  everything: 'All messages',
  feed: 'Combined feed',
  followed: 'Followed topics',
  direct: 'Direct messages',
  inbox: 'Inbox',
  mentions: 'Mentions',
  organization: 'Organization',
  reactions: 'Reactions to your messages',
  recent: 'Recent conversations',
  scheduled: 'Scheduled messages',
  search: 'Search results',
  settings: 'Settings',
  starred: 'Starred messages',
  unread: 'Unread messages',
});
