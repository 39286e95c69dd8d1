import type { PropagateMode } from '@parley/protocol';

/** What a request wants of a message. */
export interface MessageEdit {
  messageId: number;
  content?: string;
  topic?: string;
  channelId?: number;
  propagateMode: PropagateMode;
  notifiesOldThread: boolean;
  notifiesNewThread: boolean;
  /** Of the content that the client believes is there. */
  prevContentSha256?: string;
}
