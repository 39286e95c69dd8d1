import { type ReplyLimits, add, hear } from './collect-events.ts';
import { heartbeatId } from './cursor.ts';
import { type MemberSets, wants } from './matches-queue.ts';
import { createParked } from './parked.ts';
import { type Poll, type Question, createPoll, heardBy } from './poll.ts';
import type { Queue } from './queue.ts';
import type { ReadyEntry } from './ready-entry.ts';
import { createTimerWheel } from './timer-wheel.ts';
import type { WireText } from './wire-text.ts';

/** Answers polls: at once when there is something to hear, else when it comes, else with a heartbeat. */
export interface Polls<Reply> {
  readonly size: number;
  /**
   * `log` is all that the cursor may not have heard, up to the head. Displaces the poll that the queue has waiting.
   * Returns the poll if it has to wait.
   */
  ask(question: Question<Reply>, log: Iterable<ReadyEntry>, dontBlock: boolean): Poll<Reply> | null;
  /**
   * A run was appended to the realm's ring, or something was said beside the log: whoever is concerned is answered
   * with all of it.
   */
  wake(realmId: number, run: readonly ReadyEntry[]): void;
  /** Answers what has waited long enough. */
  tick(nowMs: number): void;
  /** Answers the queue's waiting poll with nothing: another took its place. */
  displace(queueId: string): void;
  /** Answers a waiting poll with a heartbeat now. */
  beat(poll: Poll<Reply>): void;
  /** Takes a poll out without an answer. False when it was not waiting. */
  leave(poll: Poll<Reply>): boolean;
  isWaiting(queueId: string): boolean;
  ofUser(realmId: number, userId: number): readonly Poll<Reply>[];
  ofRealm(realmId: number): Poll<Reply>[];
  all(): Poll<Reply>[];
}

export interface PollsNeeds<Reply> {
  sets: MemberSets;
  limits: ReplyLimits;
  nowMs: number;
  /** The last entry that the waiting polls of a realm were tested against. */
  headOf(realmId: number): number;
  answer(reply: Reply, queue: Queue, lines: readonly WireText[]): void;
}

export function createPolls<Reply>({ sets, limits, nowMs, headOf, answer }: PollsNeeds<Reply>): Polls<Reply> {
  const parked = createParked<Reply>();
  const wheel = createTimerWheel<Poll<Reply>>(nowMs);
  const nothing: WireText[] = [];

  function leave(poll: Poll<Reply>): boolean {
    if (!parked.remove(poll)) return false;
    wheel.remove(poll);
    return true;
  }

  function finish(poll: Poll<Reply>, lines: readonly WireText[]): void {
    if (leave(poll)) answer(poll.reply, poll.queue, lines);
  }

  function beat(poll: Poll<Reply>): void {
    const id = heartbeatId(headOf(poll.queue.realmId), poll.lastEventId);
    finish(poll, [`{"type":"heartbeat","id":${id}}`]);
  }

  function displace(queueId: string): void {
    const waiting = parked.ofQueue(queueId);
    if (waiting) finish(waiting, nothing);
  }

  return {
    get size() {
      return parked.size;
    },
    ask(question, log, dontBlock) {
      const { queue, lastEventId, reply } = question;
      displace(queue.id);
      const { lines } = hear(log, queue, lastEventId, sets, limits);
      if (lines.length > 0 || dontBlock) {
        answer(reply, queue, lines);
        return null;
      }
      const poll = createPoll(question);
      parked.add(poll);
      wheel.add(poll);
      return poll;
    },
    // A waiting poll was tested against all up to the head, so each new entry is tested once and nothing is rescanned.
    wake(realmId, run) {
      const woken: Poll<Reply>[] = [];
      for (const entry of run) {
        parked.eachIn(realmId, entry, sets, (poll) => {
          if (poll.tested === entry.mark) return;
          poll.tested = entry.mark;
          if (!wants(poll.queue, entry)) return;
          if (!poll.heard) woken.push(poll);
          add(heardBy(poll), entry, poll.queue, poll.lastEventId, limits);
        });
      }
      for (const poll of woken) {
        const lines = poll.heard?.lines ?? nothing;
        poll.heard = null;
        // An entry may hold nothing for this kind of client.
        if (lines.length > 0) finish(poll, lines);
      }
    },
    tick(now) {
      for (const poll of wheel.due(now)) beat(poll);
    },
    displace,
    beat,
    leave,
    isWaiting: (queueId) => parked.ofQueue(queueId) !== undefined,
    ofUser: parked.ofUser,
    ofRealm: parked.ofRealm,
    all: parked.all,
  };
}
