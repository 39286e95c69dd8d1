import type { TopicRow } from '@parley/db';
import type { ChannelAccess } from '@parley/model';
import type { PropagateMode, PendingEvent, Audience } from '@parley/protocol';

/** A move that is permitted: which messages go where. */
export interface Move {
  from: ChannelAccess;
  fromTopic: TopicRow;
  to: ChannelAccess;
  /** As the topic is written where they go: the first who wrote its name decides. */
  topicName: string;
  toTopic: TopicRow | null;
  /** Whether the mover sees messages where they go. */
  targetHasMessages: boolean;
  mode: PropagateMode;
  target: number;
  /** Ascending. */
  ids: number[];
  /** All that the mover sees of the topic. */
  isWhole: boolean;
  /** All that there is of the topic. */
  isComplete: boolean;
  resolving: Resolving | null;
  expects: NonNullable<PendingEvent['expects']> | null;
}

export type Resolving = 'resolved' | 'unresolved';

/** A move that was carried out. */
export interface CompletedMove extends Move {
  /** What is told before the move itself. */
  eventsBefore: PendingEvent[];
  audience: Audience;
}
