/** `mail`: missed messages, by email. `push`: a message, to phones. `removal`: it was read, so phones show it no more. */
export type NotificationKind = 'mail' | 'push' | 'removal';

/** Times of notifications. */
export const notificationTimes = {
  /** Nobody is notified of a message that is older, as after a long outage. */
  messageMs: 3 * 86_400_000,
  /** For how long after it was due a mail is tried to be sent, and a notification to phones. */
  mailMs: 3 * 86_400_000,
  pushMs: 86_400_000,
  /** Digests are sent to those who were not here for so long, and tell of so long. */
  absenceMs: 5 * 86_400_000,
  digestMs: 7 * 86_400_000,
  /** For how long it is remembered that a message was pushed and not read. */
  pushedMs: 30 * 86_400_000,
} as const;
