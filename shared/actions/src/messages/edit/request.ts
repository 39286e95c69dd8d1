import type { PropagateMode } from '@parley/protocol';

/** A request to edit a message. */
export interface MessageEdit {
  messageId: number;
  content?: string;
  topic?: string;
  channelId?: number;
  propagateMode: PropagateMode;
  notifiesOldThread: boolean;
  notifiesNewThread: boolean;
  /** SHA-256 of the content that the client believes the message has, in hex. */
  prevContentSha256?: string;
}
