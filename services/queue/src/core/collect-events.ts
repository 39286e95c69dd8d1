import { type MemberSets, matchesQueue } from './matches-queue.ts';
import type { Queue } from './queue.ts';
import type { ReadyEntry } from './ready-entry.ts';
import { firstIdOf, serialise } from './serialise.ts';
import type { WireText } from './wire-text.ts';

/**
 * Collects the events of a log that a queue's client has not acknowledged. Nothing is consumed, so the same question has
 * the same answer on every node, and a lost reply costs nothing. `log` is in the order of ids.
 */
export function collectEvents(
  log: Iterable<ReadyEntry>,
  queue: Queue,
  lastEventId: number,
  sets: MemberSets,
  limits: ReplyLimits,
): EventBatch {
  const batch = createEventBatch();
  for (const entry of log) {
    if (!matchesQueue(queue, entry, sets)) continue;
    if (!addToBatch(batch, entry, queue, lastEventId, limits)) break;
  }
  return batch;
}

/** The most that one reply carries. The client comes back for the rest with the last id it got. */
export interface ReplyLimits {
  repliedEventsMax: number;
  /** One event is always sent, however long it is. */
  repliedBytesMax: number;
}

/** The events of one reply, while they are collected. */
export interface EventBatch {
  readonly lines: WireText[];
  bytes: number;
  /** The id of its last event. */
  lastId: number;
  /** Nothing is added to a full batch: a later event must not overtake one that did not fit. */
  isFull: boolean;
}

export const createEventBatch = (): EventBatch => ({
  lines: [],
  bytes: 0,
  lastId: Number.NEGATIVE_INFINITY,
  isFull: false,
});

/** Adds the events after the cursor that a matching entry expands to. Returns false when not all of them fit. */
export function addToBatch(
  batch: EventBatch,
  entry: ReadyEntry,
  queue: Queue,
  lastEventId: number,
  { repliedEventsMax, repliedBytesMax }: ReplyLimits,
): boolean {
  const unnumbered = serialise(entry, queue);
  let id = firstIdOf(entry, queue, unnumbered.length) - 1;
  for (const text of unnumbered) {
    id += 1;
    // Of two ephemeral events with one id, a client receives one.
    if (id <= lastEventId || id <= batch.lastId) continue;
    const line = `${text}${id}}`;
    const isTooMuch = batch.lines.length >= repliedEventsMax || batch.bytes + line.length > repliedBytesMax;
    if (batch.isFull || (isTooMuch && batch.lines.length > 0)) {
      batch.isFull = true;
      return false;
    }
    batch.lines.push(line);
    batch.bytes += line.length;
    batch.lastId = id;
  }
  return true;
}
