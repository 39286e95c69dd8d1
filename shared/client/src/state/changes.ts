import type { Place } from './places.ts';
import type { Slice } from './state.ts';

/** What events have done to a state, and what they leave open. */
export interface Changes {
  /** Slices of the state that changed. */
  slices: Set<Slice>;
  /** Messages that came, changed or went. */
  messages: Set<number>;
  /** Fields of `own` that changed. */
  own: Set<string>;
  /** Channels whose access has changed. */
  access: Set<number>;
  /** Whether the messages may have seen the events before, as those of a page that was read in the meantime. */
  isReplay: boolean;
  /** What cannot be derived from events, and has to be asked for. */
  questions: Questions;
}

export interface Questions {
  /** Messages from another channel that the client does not have, and that may have become readable. */
  messages: Set<number>;
  /** The new places of moved messages that the client does not have. */
  moved: Map<number, Place>;
  /** Channels whose messages it may have become able to read. */
  channels: Set<number>;
  /** Direct conversations whose newest message is gone. */
  conversations: Set<Place>;
}

export const noChanges = (): Changes => ({
  slices: new Set(),
  messages: new Set(),
  own: new Set(),
  access: new Set(),
  isReplay: false,
  questions: { messages: new Set(), moved: new Map(), channels: new Set(), conversations: new Set() },
});
