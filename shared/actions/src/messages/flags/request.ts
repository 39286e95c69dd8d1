import type * as model from '@parley/model';
import type { ActionResult, PendingFlags } from '@parley/protocol';

export type NarrowRange = Parameters<typeof model.messages.fetchMessageIds>[2];
export type NarrowPage = Awaited<ReturnType<typeof model.messages.fetchMessageIds>>;
export interface FlagChange {
  ids: number[];
  op: 'add' | 'remove';
  flag: PendingFlags['flag'];
}

export interface FlagChangeResult extends ActionResult {
  changed: number[];
  /** Channels whose messages cannot become unread, because the actor is not subscribed to them. */
  ignoredChannels: number[];
}

export interface ReadPlace {
  channelId: number;
  /** Undefined means all topics of the channel. */
  topicId?: number;
}
