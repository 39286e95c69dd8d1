import type { TopicRow } from '@parley/db';
import type * as model from '@parley/model';
import type { PropagateMode, PendingEvent, Audience } from '@parley/protocol';

/** A permitted move: the messages, where they are and where they go. */
export interface Move {
  from: model.access.ChannelAccess;
  fromTopic: TopicRow;
  to: model.access.ChannelAccess;
  /** The topic's name as it is written in the target: the first who wrote it decided its case. */
  topicName: string;
  toTopic: TopicRow | null;
  /** Whether the target topic has messages that the actor sees. */
  targetHasMessages: boolean;
  mode: PropagateMode;
  /** The message that the request names. */
  target: number;
  /** Ids of the messages, ascending. */
  ids: number[];
  /** Whether these are all messages of the topic that the actor sees. */
  isWhole: boolean;
  /** Whether these are all messages of the topic. */
  isComplete: boolean;
  /** Whether they stay in the topic, and spell its name otherwise. */
  isRespelled: boolean;
  resolving: Resolving | null;
  expects: NonNullable<PendingEvent['expects']> | null;
}

export type Resolving = 'resolved' | 'unresolved';

/** A move that was written. */
export interface CompletedMove extends Move {
  /** Events that come before the event of the move itself. */
  eventsBefore: PendingEvent[];
  audience: Audience;
}
