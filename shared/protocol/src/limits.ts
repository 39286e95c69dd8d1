/** Limits of the contract. Lengths count code points. */
export const limits = {
  messageLength: 10_000,
  topicLength: 60,
  channelNameLength: 60,
  channelDescriptionLength: 1024,
  channelFoldersPerRealm: 10_000,
  channelFolderNameLength: 60,
  channelFolderDescriptionLength: 1024,
  defaultChannelGroupNameLength: 60,
  /** People told in one request, each alone, that somebody subscribed them. */
  newSubscriptionMessages: 100,
  /** Channels with fewer subscribers are listed whole, always. */
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
  /** Of a list to choose from, and of the text of each. */
  profileOptions: 500,
  profileOptionLength: 100,
  profileShortTextLength: 50,
  profileLongTextLength: 500,
  profileUrlLength: 2000,
  profileUsers: 500,
  submessagesPerMessage: 10_000,
  submessageTypeLength: 100,
  linkifiersPerRealm: 500,
  linkifierPatternLength: 1000,
  urlTemplateLength: 2000,
  playgroundsPerRealm: 500,
  playgroundNameLength: 100,
  playgroundLanguageLength: 40,
  passwordLengthMin: 6,
  passwordLengthMax: 100,
  realmNameLength: 40,
  realmDescriptionLength: 1000,
  messagesPerFetch: 5000,
  /** Above every message id: the anchor that `newest` stands for. */
  anchorNewest: 10_000_000_000_000_000,
  /** Local ids and queue ids are opaque, but not endless. */
  localIdLength: 200,
  reportDescriptionLength: 1000,
  recipientsPerMessage: 1000,
  principalsPerRequest: 10_000,
  channelsPerRequest: 500,
  narrowTerms: 100,
  /** Of an emoji's name, code or type. */
  emojiLength: 100,
  flagsPerRequest: 10_000,
  /** Of `unread_msgs` at registration: the newest. */
  unreadMessages: 50_000,
  starredMessages: 10_000,
  recentConversations: 1000,
  uploadMebibytes: 100,
  /** Avatars, icons, logos, emoji. */
  pictureMebibytes: 5,
  fileNameLength: 200,
  /** Uploads that one message may refer to; links beyond are plain links. */
  attachmentsPerMessage: 50,
  /** Of the messages that refer to an upload, its owner is shown the newest. */
  messagesPerAttachment: 500,
} as const;

/** Times of the event queue protocol. */
export const queueTimes = {
  idleSeconds: 600,
  idleSecondsMax: 604_800,
  heartbeatMinMs: 45_000,
  heartbeatSpreadMs: 10_000,
  /** What clients use as their HTTP timeout; above the longest heartbeat interval. */
  longpollTimeoutSeconds: 90,
} as const;

/** What becomes of files by themselves. */
export const fileTimes = {
  temporaryUrlMs: 60_000,
  unreferencedMs: 35 * 86_400_000,
} as const;

/** What is read and kept of pages that messages link to. The contract leaves it to the server (reference/markdown.md 4). */
export const pageLimits = {
  /** Of the page's address, and of any that it names. Browsers show no more. */
  addressLength: 2000,
  /** Most heads end long before. */
  bytes: 512 * 1024,
  oembedBytes: 64 * 1024,
  titleLength: 300,
  descriptionLength: 1000,
  /** Of what a film's page gives as its player. */
  playerLength: 10_000,
} as const;

/** How long what is known of a page holds until it is looked at again. */
export const pageTimes = {
  foundMs: 86_400_000,
  emptyMs: 86_400_000,
  /** Where it could not be reached. */
  unreachableMs: 600_000,
  /** A message whose pages were not looked at for this long is left as it is. */
  dueMs: 86_400_000,
} as const;

/** What pictures are made into on demand (register: server_thumbnail_formats). */
export const thumbnailFormats = [
  { name: '840x560.webp', max_width: 840, max_height: 560, format: 'webp', animated: false },
  { name: '840x560-anim.webp', max_width: 840, max_height: 560, format: 'webp', animated: true },
] as const;
