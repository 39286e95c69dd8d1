import { type ReplyLimits, addToBatch, collectEvents, createEventBatch } from './collect-events.ts';
import { heartbeatId } from './cursor.ts';
import { type MemberSets, matchesFilter } from './matches-queue.ts';
import { type Parked, createParked } from './parked.ts';
import { type Poll, batchOf } from './poll.ts';
import type { Queue } from './queue.ts';
import type { ReadyEntry } from './ready-entry.ts';
import { firstIdOf, serialise } from './serialise.ts';
import type { WireText } from './wire-text.ts';

/** Answers polls: at once when there are events, else when the first one arrives, else with a heartbeat. */
export interface Polls<Reply> {
  readonly size: number;
  /**
   * Answers the poll or parks it. `unread` is all that the client may not have received, up to the log's head.
   * Displaces the poll that the queue has waiting. Returns whether it has to wait.
   */
  open(poll: Poll<Reply>, unread: readonly ReadyEntry[], patience?: Patience): boolean;
  /**
   * A run was appended to the realm's ring, or ephemeral events arrived: each poll with events in the run is answered
   * with all of them.
   */
  wake(realmId: number, run: readonly ReadyEntry[]): void;
  /** Answers the polls that are due with heartbeats; with nothing where the log has no id left for one. */
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

/** What a poll without an event does: wait for one, return with none, or return with the heartbeat that is due. */
export type Patience = 'waits' | 'returns' | 'returns with heartbeat';

export interface PollsDeps<Reply> {
  sets: MemberSets;
  limits: ReplyLimits;
  nowMs: number;
  /** The ids for heartbeats behind a realm's log come to their end. */
  readonly onRoomWanted: (realmId: number) => void;
  readonly answer: (reply: Reply, queue: Queue, lines: readonly WireText[]) => void;
}

export const createPolls = <Reply>(deps: PollsDeps<Reply>): Polls<Reply> => new WaitingPolls<Reply>(deps);

const nothing = createEventBatch();
const noLines = nothing.lines;

class WaitingPolls<Reply> implements Polls<Reply> {
  private readonly deps: PollsDeps<Reply>;
  private readonly parked: Parked<Reply>;

  constructor(deps: PollsDeps<Reply>) {
    this.deps = deps;
    this.parked = createParked<Reply>(deps.nowMs);
  }

  get size(): number {
    return this.parked.size;
  }

  open(poll: Poll<Reply>, unread: readonly ReadyEntry[], patience: Patience = 'waits'): boolean {
    const { queue, log, lastEventId, slot } = poll;
    const { sets, limits, onRoomWanted } = this.deps;
    if (!slot?.isKept) this.displace(queue.id);
    else if (slot.waiting) this.finish(slot.waiting, noLines);
    const { lines } = unread.length === 0 ? nothing : collectEvents(unread, queue, lastEventId, sets, limits);
    if (lines.length > 0 || patience !== 'waits') {
      const isWithHeartbeat = lines.length === 0 && patience === 'returns with heartbeat';
      this.answer(poll, isWithHeartbeat ? this.heartbeatFor(poll) : lines);
      return false;
    }
    this.parked.add(poll);
    // Its heartbeat is a minute away: the log has gone on by then.
    if (heartbeatId(queue, log.settled, lastEventId) === null) onRoomWanted(queue.realmId);
    return true;
  }

  // A waiting poll was tested against all up to the head, so each new entry is tested once and nothing is rescanned.
  wake(realmId: number, run: readonly ReadyEntry[]): void {
    const woken: Poll<Reply>[] = [];
    const only = run.length === 1 ? run[0] : undefined;
    for (const entry of run) {
      this.parked.eachIn(realmId, entry, this.deps.sets, (poll) => {
        if (poll.testedKey === entry.dedupeKey) return;
        poll.testedKey = entry.dedupeKey;
        if (!matchesFilter(poll.queue, entry)) return;
        if (!poll.batch) woken.push(poll);
        // What a single entry is rendered to need not be collected.
        if (!only) this.add(poll, entry);
      });
    }
    for (const poll of woken) {
      if (only && this.sendOnly(only, poll)) continue;
      if (only) this.add(poll, only);
      const { lines, isFull } = poll.batch ?? nothing;
      poll.batch = null;
      // An entry may become no event for this kind of client.
      if (lines.length > 0 || isFull) this.finish(poll, lines);
    }
  }

  tick(nowMs: number): void {
    for (const poll of this.parked.due(nowMs)) this.sendHeartbeat(poll);
  }

  readonly displace = (queueId: string): void => {
    const waiting = this.parked.ofQueue(queueId);
    if (waiting) this.finish(waiting, noLines);
  };

  sendHeartbeat(poll: Poll<Reply>): void {
    this.finish(poll, this.heartbeatFor(poll));
  }

  readonly remove = (poll: Poll<Reply>): boolean => this.parked.remove(poll);

  readonly isWaiting = (queueId: string): boolean => this.parked.ofQueue(queueId) !== undefined;

  ofUser(realmId: number, userId: number): readonly Poll<Reply>[] {
    return this.parked.ofUser(realmId, userId);
  }

  ofRealm(realmId: number): Poll<Reply>[] {
    return this.parked.ofRealm(realmId);
  }

  all(): Poll<Reply>[] {
    return this.parked.all();
  }

  /** Returns a heartbeat; nothing where the log has no id left for one. */
  private heartbeatFor({ queue, log, lastEventId }: Poll<Reply>): readonly WireText[] {
    const id = heartbeatId(queue, log.settled, lastEventId);
    // The one after it finds the room that is made now.
    if (id === null || heartbeatId(queue, log.settled, id) === null) this.deps.onRoomWanted(queue.realmId);
    return id === null ? noLines : [`{"type":"heartbeat","id":${id}}`];
  }

  private finish(poll: Poll<Reply>, lines: readonly WireText[]): void {
    if (this.parked.remove(poll)) this.answer(poll, lines);
  }

  private answer({ queue, log, reply }: Poll<Reply>, lines: readonly WireText[]): void {
    // A cursor that this node hands out is of the history that it has.
    if (lines.length > 0 && queue.provenIn === log.history) queue.proveTo(log.head, log.term, log.history);
    this.deps.answer(reply, queue, lines);
  }

  /** Answers a poll with the event that a run of one entry is for it. Returns false unless it is exactly one. */
  private sendOnly(entry: ReadyEntry, poll: Poll<Reply>): boolean {
    const texts = serialise(entry, poll.queue);
    const [text] = texts;
    if (text === undefined || texts.length > 1) return false;
    const id = firstIdOf(entry, poll.queue, 1);
    if (id > poll.lastEventId) this.finish(poll, [`${text}${id}}`]);
    return true;
  }

  /** Adds an entry's events to what a poll is answered with. One for whom its ids do not suffice is told so when it asks again. */
  private add(poll: Poll<Reply>, entry: ReadyEntry): void {
    const batch = batchOf(poll);
    try {
      addToBatch(batch, entry, poll.queue, poll.lastEventId, this.deps.limits);
    } catch {
      batch.isFull = true;
    }
  }
}
