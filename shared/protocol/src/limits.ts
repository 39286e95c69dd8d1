/** Limits of the contract. Lengths count code points. */
export const limits = {
  messageLength: 10_000,
  topicLength: 60,
  channelNameLength: 60,
  channelDescriptionLength: 1024,
  clientNameLength: 30,
  fullNameLength: 100,
  passwordLengthMin: 6,
  passwordLengthMax: 100,
  realmNameLength: 40,
  realmDescriptionLength: 1000,
  messagesPerFetch: 5000,
  /** Above every message id: the anchor that `newest` stands for. */
  anchorNewest: 10_000_000_000_000_000,
  /** Local ids and queue ids are opaque, but not endless. */
  localIdLength: 200,
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
