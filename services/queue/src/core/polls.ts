import { type ReplyLimits, addToBatch, collectEvents, createEventBatch } from './collect-events.ts';
import { heartbeatId } from './cursor.ts';
import { type MemberSets, matchesFilter } from './matches-queue.ts';
import { createParked } from './parked.ts';
import { type Poll, batchOf } from './poll.ts';
import type { Queue } from './queue.ts';
import type { ReadyEntry } from './ready-entry.ts';
import { serialise } from './serialise.ts';
import type { WireText } from './wire-text.ts';

/** Answers polls: at once when there are events, else when the first one arrives, else with a heartbeat. */
export interface Polls<Reply> {
  readonly size: number;
  /**
   * Answers the poll or parks it. `unread` is all that the client may not have received, up to the log's head.
   * Displaces the poll that the queue has waiting. Returns whether it has to wait.
   */
  open(poll: Poll<Reply>, unread: readonly ReadyEntry[], dontBlock: boolean): boolean;
  /**
   * A run was appended to the realm's ring, or ephemeral events arrived: each poll with events in the run is answered
   * with all of them.
   */
  wake(realmId: number, run: readonly ReadyEntry[]): void;
  /** Answers the polls that are due with heartbeats. */
  tick(nowMs: number): void;
  /** Answers the queue's waiting poll with no event: another one took its place. */
  readonly displace: (queueId: string) => void;
  /** Answers a waiting poll with a heartbeat now. */
  sendHeartbeat(poll: Poll<Reply>): void;
  /** Removes a poll without an answer. Returns false when it was not waiting. */
  readonly remove: (poll: Poll<Reply>) => boolean;
  readonly isWaiting: (queueId: string) => boolean;
  ofUser(realmId: number, userId: number): readonly Poll<Reply>[];
  ofRealm(realmId: number): Poll<Reply>[];
  all(): Poll<Reply>[];
}

export interface PollsDeps<Reply> {
  sets: MemberSets;
  limits: ReplyLimits;
  nowMs: number;
  readonly answer: (reply: Reply, queue: Queue, lines: readonly WireText[]) => void;
}

export function createPolls<Reply>({ sets, limits, nowMs, answer }: PollsDeps<Reply>): Polls<Reply> {
  const parked = createParked<Reply>(nowMs);
  const nothing = createEventBatch();
  const noLines = nothing.lines;

  function finish(poll: Poll<Reply>, lines: readonly WireText[]): void {
    if (parked.remove(poll)) answer(poll.reply, poll.queue, lines);
  }

  function sendHeartbeat(poll: Poll<Reply>): void {
    finish(poll, [`{"type":"heartbeat","id":${heartbeatId(poll.log.head, poll.lastEventId)}}`]);
  }

  function linesAfter(entry: ReadyEntry, { queue, lastEventId }: Poll<Reply>): readonly WireText[] {
    const lines = serialise(entry, queue);
    if (lines.length === 1 && entry.firstId > lastEventId) return lines;
    return collectEvents([entry], queue, lastEventId, sets, limits).lines;
  }

  function displace(queueId: string): void {
    const waiting = parked.ofQueue(queueId);
    if (waiting) finish(waiting, noLines);
  }

  return {
    get size() {
      return parked.size;
    },
    open(poll, unread, dontBlock) {
      const { queue, lastEventId, slot } = poll;
      if (!slot?.isKept) displace(queue.id);
      else if (slot.waiting) finish(slot.waiting, noLines);
      const { lines } =
        unread.length === 0 ? nothing : collectEvents(unread, queue, lastEventId, sets, limits);
      if (lines.length > 0 || dontBlock) {
        answer(poll.reply, queue, lines);
        return false;
      }
      parked.add(poll);
      return true;
    },
    // A waiting poll was tested against all up to the head, so each new entry is tested once and nothing is rescanned.
    wake(realmId, run) {
      const woken: Poll<Reply>[] = [];
      const only = run.length === 1 ? run[0] : undefined;
      for (const entry of run) {
        parked.eachIn(realmId, entry, sets, (poll) => {
          if (poll.testedKey === entry.dedupeKey) return;
          poll.testedKey = entry.dedupeKey;
          if (!matchesFilter(poll.queue, entry)) return;
          if (!poll.batch) woken.push(poll);
          // What a single entry is rendered to need not be collected.
          if (only) return;
          addToBatch(batchOf(poll), entry, poll.queue, poll.lastEventId, limits);
        });
      }
      for (const poll of woken) {
        const lines = only ? linesAfter(only, poll) : (poll.batch?.lines ?? noLines);
        poll.batch = null;
        // An entry may expand to no event for this kind of client.
        if (lines.length > 0) finish(poll, lines);
      }
    },
    tick(now) {
      for (const poll of parked.due(now)) sendHeartbeat(poll);
    },
    displace,
    sendHeartbeat,
    remove: (poll) => parked.remove(poll),
    isWaiting: (queueId) => parked.ofQueue(queueId) !== undefined,
    ofUser: (realmId, userId) => parked.ofUser(realmId, userId),
    ofRealm: (realmId) => parked.ofRealm(realmId),
    all: () => parked.all(),
  };
}
