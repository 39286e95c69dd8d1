import { catalogue, icu } from './catalogue.ts';

/** The palette that leads anywhere. */
export const jumpText = catalogue('jump', {
  title: 'Jump to…',
  field: 'Channel, topic, person, view or command',
  none: 'No results.',
  channel: 'Channel',
  person: 'Person',
  bot: 'Bot',
  view: 'View',
  command: 'Command',
  search: icu('Search messages for “{text}”', 'text'),
  keys: 'Keyboard shortcuts',
  newMessage: 'New message',
  newDirect: 'New direct message',
  markAll: 'Mark all messages as read',
  markedAll: 'All messages are marked as read.',
  settings: 'Settings',
  organization: 'Organization settings',
});
