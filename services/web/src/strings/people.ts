/** The list of people, and profiles. */
export const peopleText = {
  title: 'People',
  here: 'In this conversation',
  inChannel: 'In this channel',
  others: 'Everyone else',
  search: 'Search people',
  groups: 'Groups',
  includes: (groups: string) => `Includes these groups: ${groups}`,
  isYou: '(you)',
  profile: (name: string) => `View profile of ${name}`,
  bot: 'Bot',
  deactivated: (role: string) => `${role} (deactivated)`,
  sendMessage: 'Send direct message',
  localTime: 'Local time',
  botOwner: 'Owner',
  joined: 'Joined',
  commonChannels: 'Channels in common',
};

/** Whether somebody is there. */
export const presenceText = { active: 'Active', idle: 'Idle', offline: 'Offline' } as const;

/** The dialog in which people set their status. */
export const statusText = {
  title: 'Set status',
  field: 'Status',
  emoji: (name: string) => `Emoji: ${name}`,
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
};
