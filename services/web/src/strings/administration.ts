import { catalogue, icu } from './catalogue.ts';

/** What people administer: the names of the pages, and what several of them say. */
export const administrationText = catalogue('administration', {
  people: 'People',
  invitations: 'Invitations',
  groups: 'Groups',
  channels: 'Channels',
  organization: 'Organization',
  newcomers: 'New users',
  permissions: 'Permissions',
  bots: 'Bots',
  emoji: 'Emoji',
  linkifiers: 'Linkifiers',
  playgrounds: 'Code playgrounds',
  profileFields: 'Profile fields',
  exports: 'Exports',
  imports: 'Imports',
  webhooks: 'Failed webhooks',
  whoCan: 'Who can:',
  deactivate: 'Deactivate',
  deactivateName: icu('Deactivate {name}', 'name'),
});

export const botText = catalogue('bot', {
  title: 'Create a bot',
  shortName: 'Short name (used in its email address)',
  type: 'Type',
  generic: 'Generic bot: uses the API',
  incoming: 'Incoming webhook: only sends messages',
  outgoing: 'Outgoing webhook: is called when it gets a message',
  url: 'Service URL',
  secret: 'Secret with which the product signs (optional)',
  integrations: 'Products that can send messages',
  owner: icu('owned by {name}', 'name'),
  confirm: icu('Deactivate {name}?', 'name'),
  apiKey: 'API key',
});

export const channelText = catalogue('channel', {
  title: 'Create a channel',
  all: 'All channels',
  search: 'Search channels',
  privacy: 'Who can read it',
  folder: 'Folder',
  noFolder: 'None',
  unarchive: 'Unarchive channel',
  archive: 'Archive channel',
  confirmArchive: icu('Archive #{name}?', 'name'),
  isDefault: 'Subscribe new users to this channel',
  subscribers: 'Subscribers besides you',
  announce: 'Announce the new channel',
  summary: icu('{privacy}, {count, plural, one {# subscriber} other {# subscribers}}', 'privacy', 'count'),
  archivedSummary: icu('{summary}, archived', 'summary'),
  private: 'Private',
});

export const channelPrivacyText = catalogue('channelPrivacy', {
  public: 'Public',
  web: 'Web-public: anyone on the internet can read it',
  shared: 'Private, shared history',
  protected: 'Private, protected history',
  webShort: 'Web-public',
});

export const folderText = catalogue('folder', {
  title: 'Channel folders',
  archive: icu('Archive folder {name}', 'name'),
  confirmArchive: icu('Archive the folder {name}?', 'name'),
  create: 'Create folder',
  name: 'New folder',
});

export const customEmojiText = catalogue('customEmoji', {
  title: 'Add emoji',
  picture: 'Image',
  by: icu('by {name}', 'name'),
});

export const exportText = catalogue('export', {
  public: 'Public data',
  consented: 'Public data, and private data of users who have agreed',
  type: 'Data to export',
  start: 'Start export',
  none: 'There are no exports yet.',
  title: icu('{time}, started by {name}: {type}.', 'time', 'name', 'type'),
  download: 'Download',
  failed: 'Failed',
  deleted: 'Deleted',
  ready: 'Ready',
  progress: 'Export in progress',
  underway: 'In progress…',
  consents: 'Consent to private data export',
  consentCount: icu(
    '{all, plural, one {{count} of # user lets exports include their private data.} other {{count} of # users let exports include their private data.}}',
    'count',
    'all',
  ),
});

export const groupText = catalogue('group', {
  title: 'Create a group',
  none: 'There are no groups yet.',
  size: icu('({count})', 'count'),
  subgroup: icu('Group: {name}', 'name'),
  remove: icu('Remove {name} from {group}', 'name', 'group'),
  addUser: icu('Add a user to {group}', 'group'),
  addGroup: icu('Add a group to {group}', 'group'),
  deactivate: 'Deactivate group',
  confirmDeactivate: icu('Deactivate the group {name}?', 'name'),
});

export const invitationText = catalogue('invitation', {
  byEmail: 'Invite by email',
  byLink: 'Invite with a link',
  emails: 'Email addresses, separated by commas',
  send: 'Send invitations',
  sent: 'Your invitations have been sent.',
  createLink: 'Create link',
  link: 'Anyone with this link can join',
  pending: 'Pending invitations',
  none: 'There are no pending invitations.',
  role: 'Role',
  expiry: 'Expires after',
  oneDay: 'One day',
  tenDays: '10 days',
  thirtyDays: '30 days',
  never: 'Never expires',
  defaultChannels: 'Subscribe to the default channels',
  channels: 'Additional channels',
  summary: icu('as {role}, invited by {inviter}', 'role', 'inviter'),
  expires: icu('expires {time}', 'time'),
  resend: 'Resend',
  revoke: 'Revoke',
});

export const linkifierText = catalogue('linkifier', {
  linksTo: 'links to',
  pattern: 'Pattern, for example',
  template: 'URL template, for example',
});

/** Where code can be tried. */
export const playgroundText = catalogue('playground', {
  about: 'Code blocks in these languages have a link to a page where the code can be tried.',
  of: icu('{language}: {name},', 'language', 'name'),
  language: 'Language, as Pygments calls it',
  template: 'URL template, for example',
});

/** What profiles ask people for. */
export const profileFieldText = catalogue('profileField', {
  title: 'Add a profile field',
  none: 'There are no profile fields.',
  hint: 'Hint (optional)',
  type: 'Type',
  types: {
    1: 'Short text',
    2: 'Paragraph',
    3: 'List of options',
    4: 'Date',
    5: 'Link',
    6: 'People',
    7: 'External account',
    8: 'Pronouns',
  },
  options: 'Options, one per line',
  raise: icu('Move {name} up', 'name'),
  confirm: icu('Remove {name}? What people entered there will be deleted.', 'name'),
});

export const organizationText = catalogue('organization', {
  nameAndDescription: 'Name and description',
  icon: 'Icon',
  logo: 'Logo',
  darkLogo: 'Logo for the dark theme',
  upload: icu('Upload: {picture}', 'picture'),
  remove: icu('Remove: {picture}', 'picture'),
  announcements: 'Announcements',
  nowhere: 'Don’t announce',
  newChannels: 'Announce new channels in',
  newUsers: 'Announce new users in',
  reports: 'Reported messages',
  reportsTo: 'Send reports to',
  reportsHelp: 'A private channel that your moderators are in. Without one, messages can’t be reported.',
  noReports: 'No channel',
  calls: 'Calls',
  callService: 'Service for calls',
  noCalls: 'None',
  callServer: 'Address of your Jitsi server',
  callServerHelp:
    'For example https://meet.example.com. People can add calls to messages once there is an address.',
  signIn: 'Sign-in methods',
});

/** What new people are greeted with and start with. */
export const newcomerText = catalogue('newcomer', {
  welcome: 'Welcome message',
  welcomeHelp:
    'New users get it in their first direct message, from the Welcome Bot. You can use Markdown. Leave it empty to send only the usual message.',
  saved: 'The welcome message has been saved.',
  try: 'Send it to yourself',
  tried: 'The Welcome Bot has sent you the message.',
  settings: 'Default settings',
  settingsHelp:
    'New users start with these settings, and can change them. Nothing changes for those who are here already.',
});

/** The settings of an organization. */
export const realmSettingText = catalogue('realmSetting', {
  joining: 'Joining the organization',
  inviteRequired: 'Require an invitation to join',
  restrictDomains: 'Only allow email addresses of certain domains',
  noDisposable: 'Don’t allow disposable email addresses',
  waitingPeriod: 'Days before a new member becomes a full member',
  spectators: 'Let anyone view web-public channels without an account',
  welcomeEmails: 'Send a welcome email to new users',
  messages: 'Messages',
  allowEditing: 'Allow message editing',
  editLimit: 'Time limit for editing messages',
  deleteLimit: 'Time limit for deleting messages',
  moveTopicLimit: 'Time limit for moving messages to other topics',
  moveChannelLimit: 'Time limit for moving messages to other channels',
  oneMinute: 'One minute',
  tenMinutes: '10 minutes',
  oneHour: 'One hour',
  oneDay: 'One day',
  oneWeek: 'One week',
  noLimit: 'No limit',
  history: 'Show message edit history',
  historyAll: 'All edits and moves',
  historyMoves: 'Moves only',
  historyNone: 'Don’t show',
  retention: 'Keep messages for',
  thirtyDays: '30 days',
  oneYear: 'One year',
  fiveYears: 'Five years',
  forever: 'Forever',
  emptyTopics: 'Messages without a topic',
  emptyTopicsAllowed: 'Allowed',
  emptyTopicsRefused: 'Not allowed',
  readReceipts: 'Enable read receipts',
  imagePreviews: 'Show previews of linked images',
  linkPreviews: 'Show previews of linked websites',
  people: 'People',
  fixedNames: 'Prevent users from changing their name',
  fixedEmails: 'Prevent users from changing their email address',
  fixedAvatars: 'Prevent users from changing their profile picture',
  uniqueNames: 'Require unique names',
  hidePresence: 'Hide when users are active',
  guestIndicator: 'Mark guests as “(guest)”',
  emailContent: 'Allow message text in notification emails',
});

export const accountsText = catalogue('accounts', {
  search: 'Search users',
  showDeactivated: 'Show deactivated users',
  role: 'Role',
  account: 'Account',
  confirmDeactivate: icu('Deactivate {name}’s account?', 'name'),
  reactivate: 'Reactivate',
  reactivateName: icu('Reactivate {name}', 'name'),
  roleOf: icu('Role of {name}', 'name'),
});

export const webhookText = catalogue('webhook', {
  refresh: 'Refresh',
  none: 'All messages were delivered.',
  bot: icu('{bot}:', 'bot'),
  message: icu('message {id}', 'id'),
  failure: icu(
    '{attempts, plural, one {failed after # attempt on {time}: {reason}} other {failed after # attempts on {time}: {reason}}}',
    'attempts',
    'time',
    'reason',
  ),
  retried: 'The message will be delivered again.',
  retry: 'Retry',
  dismiss: 'Dismiss',
  older: 'Show older failures',
});

/** What each permission allows, after “Who can:”. */
export const permissionText: Readonly<Record<string, string>> = catalogue('permission', {
  can_access_all_users_group: 'See everyone in the organization',
  can_add_custom_emoji_group: 'Add custom emoji',
  can_add_members_group: 'Add members',
  can_add_subscribers_group: 'Subscribe others to channels',
  can_administer_channel_group: 'Administer this channel',
  can_create_bots_group: 'Create bots of any type',
  can_create_groups: 'Create groups',
  can_create_private_channel_group: 'Create private channels',
  can_create_public_channel_group: 'Create public channels',
  can_create_web_public_channel_group: 'Create web-public channels',
  can_create_write_only_bots_group: 'Create bots that only send messages',
  can_delete_any_message_group: 'Delete any message',
  can_delete_own_message_group: 'Delete their own messages',
  can_invite_users_group: 'Invite people by email',
  can_join_group: 'Join this group',
  can_leave_group: 'Leave this group',
  can_manage_all_groups: 'Administer all groups',
  can_manage_billing_group: 'Manage billing',
  can_manage_group: 'Administer this group',
  can_mention_group: 'Mention this group',
  can_mention_many_users_group: 'Mention everyone in large conversations',
  can_move_messages_between_channels_group: 'Move messages to other channels',
  can_move_messages_between_topics_group: 'Move messages to other topics',
  can_remove_members_group: 'Remove members',
  can_remove_subscribers_group: 'Unsubscribe others from this channel',
  can_resolve_topics_group: 'Resolve topics',
  can_send_message_group: 'Send messages to this channel',
  can_set_delete_message_policy_group: 'Set who can delete messages in a channel',
  can_set_topics_policy_group: 'Set whether a channel requires topics',
  can_subscribe_group: 'Subscribe themselves to this channel',
  can_summarize_topics_group: 'Summarize topics',
  create_multiuse_invite_group: 'Create invitation links',
  direct_message_initiator_group: 'Start direct message conversations',
  direct_message_permission_group: 'Take part in direct message conversations',
});
