import { type MemberSets, admits } from './matches-queue.ts';
import type { Queue } from './queue.ts';
import type { ReadyEntry } from './ready-entry.ts';
import { linesFor } from './serialise.ts';
import type { WireText } from './wire-text.ts';

/** How much one reply carries at most. The client comes back for the rest with the last id it got. */
export interface ReplyLimits {
  repliedEventsMax: number;
  /** One event is always sent, however long it is. */
  repliedBytesMax: number;
}

/**
 * What a client has still to hear: the log after its cursor, through its queue's filter. Nothing is consumed, so the
 * same question has the same answer on every node, and a lost reply costs nothing. `log` is in the order of ids.
 */
export function hear(
  log: Iterable<ReadyEntry>,
  queue: Queue,
  lastEventId: number,
  sets: MemberSets,
  limits: ReplyLimits,
): Heard {
  const heard = createHeard();
  for (const entry of log) {
    if (!admits(queue, entry, sets)) continue;
    if (!add(heard, entry, queue, lastEventId, limits)) break;
  }
  return heard;
}

/** The lines of one reply, as they are collected. */
export interface Heard {
  readonly lines: WireText[];
  bytes: number;
  /** Nothing may be added any more: a later event must not overtake one that did not fit. */
  isFull: boolean;
}

export const createHeard = (): Heard => ({ lines: [], bytes: 0, isFull: false });

/** Adds what an admitted entry is for the queue, after the cursor. False when not all of it fits. */
export function add(
  heard: Heard,
  entry: ReadyEntry,
  queue: Queue,
  lastEventId: number,
  { repliedEventsMax, repliedBytesMax }: ReplyLimits,
): boolean {
  let id = entry.firstId;
  for (const line of linesFor(entry, queue)) {
    if (id++ <= lastEventId) continue;
    const isTooMuch = heard.lines.length >= repliedEventsMax || heard.bytes + line.length > repliedBytesMax;
    if (heard.isFull || (isTooMuch && heard.lines.length > 0)) {
      heard.isFull = true;
      return false;
    }
    heard.lines.push(line);
    heard.bytes += line.length;
  }
  return true;
}
