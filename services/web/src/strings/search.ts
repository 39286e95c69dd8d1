import { catalogue, icu } from './catalogue.ts';

/** The search field. */
export const searchText = catalogue('search', {
  remove: icu('Remove filter {term}', 'term'),
  exclude: icu('Exclude: {description}', 'description'),
  you: 'You',
  recent: 'Recent search',
  saved: 'Saved search',
  unknownOperator: icu('“{name}” isn’t a search operator.', 'name'),
  missingOperand: icu('Add a value after “{name}:”.', 'name'),
  wrongChoice: icu('The value of “{name}:” must be one of: {choices}.', 'name', 'choices'),
  notDay: icu('The value of “{name}:” must be a day such as 2026-03-09.', 'name'),
  notMessageId: icu('The value of “{name}:” must be a message ID.', 'name'),
});

/** The results of a search. */
export const resultsText = catalogue('results', {
  all: icu('{count, plural, one {# result} other {# results}}', 'count'),
  back: 'Back to search results',
  grouped: 'Group by conversation',
  loaded: icu('Sorted among the {count} newest results.', 'count'),
  more: 'Load more results',
  newest: 'Newest first',
  order: 'Order',
  region: 'Search results',
  relevance: 'Most relevant first',
  save: 'Save search',
  forget: 'Remove saved search',
  showAll: icu('Show all {count}', 'count'),
});

/** What each search operator finds. */
export const operatorText = catalogue('operator', {
  channel: 'Messages in a channel',
  topic: 'Messages in a topic',
  sender: 'Messages from a user',
  dm: 'Direct messages with one or more users',
  dmIncluding: 'All direct messages that include a user',
  is: 'Messages by status',
  has: 'Messages by content',
  in: 'Messages in your feed, or all messages',
  channels: 'Messages in all channels of a kind',
  id: 'A single message',
  with: 'The conversation that contains a message',
  mentions: 'Messages that mention a user',
  near: 'Start at a message',
  date: 'Start at a date',
});

/** The dialog in which one chooses a day. */
export const dateText = catalogue('date', {
  title: 'Jump to a date',
  day: 'Date',
  submit: 'Show messages',
  wrong: 'Enter a date.',
  none: 'There are no messages here.',
});
