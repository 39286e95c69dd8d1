import { catalogue, icu } from './catalogue.ts';

/** The list of people, and profiles. */
export const peopleText = catalogue('people', {
  title: 'People',
  here: 'In this conversation',
  inChannel: 'In this channel',
  others: 'Everyone else',
  search: 'Search people',
  groups: 'Groups',
  includes: icu('Includes these groups: {groups}', 'groups'),
  isYou: '(you)',
  profile: icu('View profile of {name}', 'name'),
  bot: 'Bot',
  deactivated: icu('{role} (deactivated)', 'role'),
  sendMessage: 'Send direct message',
  localTime: 'Local time',
  botOwner: 'Owner',
  joined: 'Joined',
  commonChannels: 'Channels in common',
});

/** Whether somebody is there. */
export const presenceText = catalogue('presence', {
  active: 'Active',
  idle: 'Idle',
  offline: 'Offline',
});

/** The dialog in which people set their status. */
export const statusText = catalogue('status', {
  title: 'Set status',
  field: 'Status',
  emoji: icu('Emoji: {name}', 'name'),
  noEmoji: 'none',
  chooseEmoji: 'Choose emoji',
  removeEmoji: 'Remove emoji',
  clear: 'Clear status',
  goInvisible: 'Go invisible',
  goVisible: 'Turn off invisible mode',
  invisible: 'You’re invisible: nobody can see when you’re active.',
  visible: 'Others can see when you’re active.',
  meeting: 'In a meeting',
  commuting: 'Commuting',
  vacation: 'On vacation',
  home: 'Working from home',
  office: 'At the office',
});
