/** Limits of the API. Lengths count code points. */
export const limits = {
  /** Form fields and query arguments, each. */
  parametersPerRequest: 1000,
  /** The most bytes of a body without files: usually, and where an endpoint takes long lists or another product's events. */
  bodyBytes: 256 * 1024,
  longBodyBytes: 1024 * 1024,
  /** The most characters of a parameter that is JSON, and how deep its lists and objects may be nested. */
  jsonLength: 512 * 1024,
  jsonDepth: 50,
  messageLength: 10_000,
  topicLength: 60,
  channelNameLength: 60,
  channelDescriptionLength: 1024,
  channelFoldersPerRealm: 10_000,
  channelFolderNameLength: 60,
  channelFolderDescriptionLength: 1024,
  defaultChannelGroupNameLength: 60,
  /** The most users whom one request notifies, each in a direct message, that somebody subscribed them. */
  newSubscriptionMessages: 100,
  userGroupsPerRealm: 5000,
  /** Direct members of all groups of a realm together: everyone who registers is sent them. */
  userGroupMembershipsPerRealm: 1_000_000,
  /** Bytes of JSON of the permissions of all groups of a realm together. */
  userGroupPermissionBytesPerRealm: 8 * 1024 * 1024,
  userGroupNameLength: 100,
  userGroupDescriptionLength: 1024,
  /** The most users whom one request notifies, each in a direct message, that somebody changed their groups. */
  groupChangeMessages: 100,
  /** Mentioning groups of which more members receive the message needs the permission to mention many users. */
  groupMentionMembers: 1000,
  /** The most members of mentioned groups whom one mention makes follow a topic. Of more, nobody follows it. */
  groupMentionFollowers: 100,
  /** Channels with fewer subscribers than this are always listed with all of them. */
  subscribersListedWhole: 250,
  clientNameLength: 30,
  statusTextLength: 60,
  fullNameLength: 100,
  alertWordLength: 100,
  alertWordsPerRequest: 1000,
  profileFieldsPerRealm: 1000,
  profileFieldNameLength: 40,
  profileFieldHintLength: 80,
  profileFieldsInSummary: 2,
  /** The most options of a list; each option's text has at most `profileOptionLength` characters. */
  profileOptions: 500,
  profileOptionLength: 100,
  profileShortTextLength: 50,
  profileLongTextLength: 500,
  profileUrlLength: 2000,
  profileUsers: 500,
  submessagesPerMessage: 10_000,
  /** Bytes of the contents of a message's submessages. */
  submessageBytesPerMessage: 1024 * 1024,
  /** Different emoji among a message's reactions. Anyone may join those that it has. */
  emojiPerMessage: 100,
  submessageTypeLength: 100,
  /** The most drafts of one user, and bytes of the contents of all of them together. */
  draftsPerUser: 1000,
  draftBytesPerUser: 4 * 1024 * 1024,
  /** The most scheduled messages of one user, and bytes of their contents and HTML together. */
  scheduledMessagesPerUser: 1000,
  scheduledMessageBytesPerUser: 4 * 1024 * 1024,
  /** The most reminders of one user, and bytes of their contents and HTML together. */
  remindersPerUser: 1000,
  reminderBytesPerUser: 2 * 1024 * 1024,
  reminderNoteLength: 1000,
  savedSnippetTitleLength: 60,
  /** The most saved snippets of one user, and bytes of the contents of all of them together. */
  savedSnippetsPerUser: 1000,
  savedSnippetBytesPerUser: 2 * 1024 * 1024,
  navigationViewsPerUser: 500,
  navigationViewNameLength: 100,
  /** The greatest length of the part of an address behind the #. */
  fragmentLength: 1000,
  /** What one account stores: keys, characters of keys and values, and bytes of both as JSON. */
  storedKeys: 10_000,
  storedCharacters: 10_000_000,
  storedBytes: 32 * 1024 * 1024,
  storedKeyLength: 500,
  integrationSecretLength: 500,
  /** The last second that a time of a client can name. */
  timestampMax: 253_402_300_799,
  linkifiersPerRealm: 500,
  linkifierPatternLength: 1000,
  urlTemplateLength: 2000,
  /** The most addresses that one request invites, groups that an invitation names, and mails that are sent about it. */
  inviteesPerRequest: 1000,
  groupsPerInvitation: 100,
  mailsPerInvitation: 10,
  /** The most links of a realm that may be used at once. */
  invitationLinksPerRealm: 1000,
  /** The most accounts that a development server offers for logging in. */
  developmentUsers: 1000,
  /** The most devices of an account that are notified, and the greatest length of a device's token and its app's id. */
  pushTokensPerUser: 50,
  pushTokenLength: 4096,
  pushAppIdLength: 200,
  /** The most browsers of an account that are notified, and what is known of one: its push service's address, its name. */
  webPushPerUser: 20,
  webPushEndpointLength: 2000,
  webPushNameLength: 100,
  /** The most sessions of an account at once. */
  sessionsPerUser: 50,
  /** Characters that are kept of what a browser says of itself. */
  sessionUserAgentLength: 300,
  emailDomainsPerRealm: 1000,
  emailDomainLength: 200,
  playgroundsPerRealm: 500,
  playgroundNameLength: 100,
  playgroundLanguageLength: 40,
  passwordLengthMin: 6,
  passwordLengthMax: 100,
  /** How many guesses a password must withstand, as an estimator counts them. */
  passwordGuessesMin: 10_000,
  /** The most alert words of one user, and characters of all of them together. */
  alertWordsPerUser: 1000,
  alertWordsLength: 20_000,
  realmNameLength: 40,
  realmSubdomainLengthMin: 3,
  realmSubdomainLength: 40,
  realmDescriptionLength: 1000,
  welcomeTextLength: 8000,
  messagesPerFetch: 5000,
  /** The number that the anchor `newest` stands for. It is above every message id. */
  anchorNewest: 10_000_000_000_000_000,
  /** The greatest length of local ids and queue ids, which are opaque strings. */
  localIdLength: 200,
  reportDescriptionLength: 1000,
  recipientsPerMessage: 1000,
  principalsPerRequest: 10_000,
  channelsPerRequest: 500,
  narrowTerms: 100,
  /** The most characters of JSON of the event types of a queue, and of its narrow. */
  queueFilterLength: 10_000,
  /** The greatest length of a term's operand that is a text. */
  narrowOperandLength: 10_000,
  /** The most users whom all terms of one narrow name. */
  narrowUsers: 1000,
  /** The most different words, quoted phrases and characters that all terms of one narrow search for. */
  searchWords: 50,
  searchPhrases: 10,
  searchLength: 5000,
  /** The greatest length of an emoji's name, code or type. */
  emojiLength: 100,
  flagsPerRequest: 10_000,
  /** The most messages in `unread_msgs` at registration. The newest are listed. */
  unreadMessages: 50_000,
  starredMessages: 10_000,
  recentConversations: 1000,
  uploadMebibytes: 100,
  /** The greatest size of an avatar, icon, logo or emoji. */
  pictureMebibytes: 5,
  /** Pixels of an organization's icon, which is square, and the box that its logos fit into. */
  iconPixels: 100,
  logoPixels: { width: 800, height: 100 },
  /** Pixels of a custom emoji, which is square, and the most bytes of an animated one. */
  emojiPixels: 64,
  animatedEmojiBytes: 128 * 1024,
  /** Custom emoji of an organization, deactivated ones included: reactions may show them for ever. */
  emojiPerRealm: 5000,
  fileNameLength: 200,
  /** The most unfinished uploads of one user that arrive in pieces, and characters of what they say of their files. */
  partialUploadsPerUser: 50,
  uploadMetadataLength: 4000,
  /** The most uploads that one message refers to. Further links to uploads are plain links. */
  attachmentsPerMessage: 50,
  /** The most messages that an upload's owner is shown as referring to it. The newest are listed. */
  messagesPerAttachment: 500,
} as const;

/** Times of the event queue protocol. */
export const queueTimes = {
  idleSeconds: 600,
  idleSecondsMax: 604_800,
  /** How often a queue that is polled is written to the registry: several heartbeats may come in that time. */
  renewedEverySeconds: 120,
  /** A queue outlives its idle time in the registry: renewal lags behind the poll, which may wait for a minute. */
  registrySlackSeconds: 240,
  /** Between heartbeats of a queue whose polls do not wait. */
  heartbeatMs: 60_000,
  heartbeatMinMs: 45_000,
  heartbeatSpreadMs: 10_000,
  /** The HTTP timeout that clients use for GET /events. It is above the longest heartbeat interval. */
  longpollTimeoutSeconds: 90,
} as const;

/** How long a temporary URL of a file is valid, and how long an upload is kept without a message that refers to it. */
export const fileTimes = {
  temporaryUrlMs: 60_000,
  unreferencedMs: 35 * 86_400_000,
  /** In which time all pieces of an upload have to arrive. */
  partialUploadMs: 86_400_000,
} as const;

/** Times of messages and reminders that are sent later. */
export const scheduleTimes = {
  /** How far ahead jobs are enqueued. What is due later is found by the sweep, so that Redis holds little. */
  aheadMs: 15_000,
  /** How long a scheduled message is remembered that was sent. */
  rememberedMs: 86_400_000,
} as const;

/** Times of sessions in a browser. */
export const sessionTimes = { validMs: 14 * 86_400_000 } as const;

/** Exports of an organization's data: the time in which they are counted, and how long an archive is kept. */
export const exportTimes = { limitMs: 7 * 86_400_000, keptMs: 7 * 86_400_000 } as const;

/** Archives that owners import into their organization. */
export const importLimits = {
  /** How long an archive is kept that somebody has to go on with. */
  keptMs: 7 * 86_400_000,
  /** The largest piece of an archive that one request sends. */
  pieceMebibytes: 32,
  /** Bytes of a plan, and of a report, as JSON. */
  planBytes: 262_144,
  /** Imports that have ended, of an organization, that are remembered. */
  remembered: 20,
} as const;

/** Times of invitations. */
export const invitationTimes = {
  presetMinutes: 14_400,
  /** How long an invitation is remembered that was accepted or revoked, or is too old. */
  rememberedMs: 30 * 86_400_000,
} as const;

/** Times of mails that ask somebody to confirm something. */
export const mailTimes = {
  /** How long the link in a mail is valid. */
  confirmationMs: 86_400_000,
  /** How long the link for a forgotten password is valid, and when its mail is sent again that could not be sent. */
  resetMs: 3_600_000,
  resetRetryMs: 600_000,
  /** When a mail is sent again that could not be sent. The time doubles with each attempt. */
  retryMs: 60_000,
  /** The time in which mails that strangers are sent are counted. */
  limitMs: 86_400_000,
  /** After this time a mail that only tells something is not sent any more. */
  newsMs: 3 * 86_400_000,
} as const;

/** Limits for reading pages that messages link to. The API leaves their choice to the server. */
export const pageLimits = {
  /** The longest address of a page, and of anything that the page refers to. Browsers show no more. */
  addressLength: 2000,
  /** The number of bytes of a page that are read. Most heads are much shorter. */
  bytes: 512 * 1024,
  oembedBytes: 64 * 1024,
  titleLength: 300,
  descriptionLength: 1000,
  /** The longest HTML of a video's player in an oEmbed response. */
  playerLength: 10_000,
} as const;

/** How long the result of fetching a page is valid before the page is fetched again. */
export const pageTimes = {
  foundMs: 86_400_000,
  emptyMs: 86_400_000,
  /** How long to wait after the page could not be reached. */
  unreachableMs: 600_000,
  /** A message whose pages could not be fetched for this long stays without previews. */
  dueMs: 86_400_000,
} as const;

/** Limits of what is passed on to the services of outgoing-webhook bots. */
export const webhookLimits = {
  /** The bytes of a reply that are read. A longer one is not posted. */
  replyBytes: 256 * 1024,
  /** The characters of a refusal that the bot's owner is shown. */
  excerptLength: 500,
  /** Requests that are under way at once: to one service, and to those of one organization. */
  atOnce: 4,
  atOncePerRealm: 12,
  /** Failed attempts in a row after which a service is left alone for a while, and then tried with one request. */
  failuresInARow: 5,
  /** Failed attempts in a row after which the bot's owner is told. */
  failuresUntilNotice: 8,
  /** Failures that one reply lists. */
  failuresPerFetch: 1000,
} as const;

/** Times of deliveries to the services of outgoing-webhook bots. */
export const webhookTimes = {
  connectMs: 3000,
  /** How long a service may take for its whole reply. */
  replyMs: 10_000,
  /** After this time, the worker that makes an attempt is taken for dead. */
  claimMs: 15_000,
  /** When a failed attempt is made again; the time doubles with each attempt up to the greatest. */
  retryMs: 2000,
  retryMsMax: 60_000,
  /** The longest time that a service can ask for by `Retry-After`. */
  retryAfterMsMax: 3_600_000,
  /** How long a service is left alone after failures in a row; the time doubles with each further one. */
  pauseMs: 5000,
  pauseMsMax: 30_000,
  /** For how long a delivery is tried, and for how long one that failed can be replayed. */
  triedMs: 86_400_000,
  keptMs: 30 * 86_400_000,
} as const;

/**
 * The formats in which thumbnails are rendered on demand. Clients read them as `server_thumbnail_formats` from POST
 * /register.
 */
export const thumbnailFormats = [
  { name: '840x560.webp', max_width: 840, max_height: 560, format: 'webp', animated: false },
  { name: '840x560-anim.webp', max_width: 840, max_height: 560, format: 'webp', animated: true },
] as const;
