import type { MemberSets } from './matches-queue.ts';
import type { Slot, Poll } from './poll.ts';
import type { ReadyEntry } from './ready-entry.ts';
import { type TimerWheel, createTimerWheel } from './timer-wheel.ts';

/**
 * The waiting polls, at most one per queue, indexed by realm and by user. Delivering an entry costs as much as it has
 * recipients or the realm has users who poll, whichever is less, and never as much as there are queues.
 */
export interface Parked<Reply> {
  readonly size: number;
  /** The queue must have no other poll waiting. */
  add(poll: Poll<Reply>): void;
  /** Returns false when the poll was not waiting any more. */
  remove(poll: Poll<Reply>): boolean;
  ofQueue(queueId: string): Poll<Reply> | undefined;
  ofUser(realmId: number, userId: number): readonly Poll<Reply>[];
  ofRealm(realmId: number): Poll<Reply>[];
  all(): Poll<Reply>[];
  /** Calls back for each poll whose user is in the entry's audience, for some perhaps more than once. */
  eachIn(realmId: number, entry: ReadyEntry, sets: MemberSets, visit: (poll: Poll<Reply>) => void): void;
  /** The polls that are due. They are still waiting. */
  due(nowMs: number): Poll<Reply>[];
}

interface Realm<Reply> {
  /** The first slot of each user: it names the next one. Nearly every user has one, and needs no list. */
  byUser: Map<number, Slot<Reply>>;
  /** Slots of queues that receive every public channel. */
  open: Set<Slot<Reply>>;
}

/** A slot at which nobody waits is kept for about this long. */
const keptMs = 30_000;

export const createParked = <Reply>(nowMs: number): Parked<Reply> => new ParkedPolls<Reply>(nowMs);

class ParkedPolls<Reply> implements Parked<Reply> {
  size = 0;
  /** Slots by the ids of their queues. */
  private readonly slots = new Map<string, Slot<Reply>>();
  private readonly realms = new Map<number, Realm<Reply>>();
  /** When each slot is looked at next. */
  private readonly wheel: TimerWheel<Slot<Reply>>;

  constructor(nowMs: number) {
    this.wheel = createTimerWheel<Slot<Reply>>(nowMs);
  }

  add(poll: Poll<Reply>): void {
    const { id, realmId, receivesAllPublic } = poll.queue;
    const slot = (poll.slot?.isKept ? poll.slot : this.slots.get(id)) ?? this.addSlot(poll);
    poll.slot = slot;
    slot.waiting = poll;
    this.size += 1;
    if (poll.dueMs < slot.dueMs) {
      this.wheel.remove(slot);
      this.lookAt(slot, poll.dueMs);
    }
    if (receivesAllPublic === slot.receivesAllPublic) return;
    slot.receivesAllPublic = receivesAllPublic;
    if (receivesAllPublic) this.realms.get(realmId)?.open.add(slot);
    else this.realms.get(realmId)?.open.delete(slot);
  }

  remove(poll: Poll<Reply>): boolean {
    const { slot } = poll;
    if (slot?.waiting !== poll) return false;
    slot.waiting = null;
    this.size -= 1;
    return true;
  }

  ofQueue(queueId: string): Poll<Reply> | undefined {
    return this.slots.get(queueId)?.waiting ?? undefined;
  }

  ofUser(realmId: number, userId: number): readonly Poll<Reply>[] {
    const first = this.realms.get(realmId)?.byUser.get(userId);
    return first ? waitingAt([first]) : [];
  }

  ofRealm(realmId: number): Poll<Reply>[] {
    return waitingAt(this.realms.get(realmId)?.byUser.values() ?? []);
  }

  all(): Poll<Reply>[] {
    return [...this.realms.values()].flatMap(({ byUser }) => waitingAt(byUser.values()));
  }

  eachIn(
    realmId: number,
    { audience }: ReadyEntry,
    sets: MemberSets,
    visit: (poll: Poll<Reply>) => void,
  ): void {
    const realm = this.realms.get(realmId);
    if (!realm) return;
    const { byUser } = realm;
    const { users, members, except, open } = audience;
    const visitUser = (userId: number, first: Slot<Reply> | undefined) => {
      if (except?.includes(userId)) return;
      for (let slot = first ?? null; slot; slot = slot.nextOfUser) {
        if (slot.waiting) visit(slot.waiting);
      }
    };
    if (users === undefined && members === undefined) {
      for (const [userId, first] of byUser) visitUser(userId, first);
      return;
    }
    for (const userId of users ?? []) visitUser(userId, byUser.get(userId));
    if (open) {
      for (const { queue, waiting } of realm.open) {
        if (waiting && !except?.includes(queue.userId)) visit(waiting);
      }
    }
    for (const id of members ?? []) {
      if (sets.size(id) < byUser.size) {
        for (const userId of sets.members(id)) visitUser(userId, byUser.get(userId));
      } else {
        for (const [userId, first] of byUser) if (sets.has(id, userId)) visitUser(userId, first);
      }
    }
  }

  due(nowMs: number): Poll<Reply>[] {
    const due: Poll<Reply>[] = [];
    for (const slot of this.wheel.due(nowMs)) {
      const { waiting } = slot;
      if (!waiting) this.removeSlot(slot);
      else if (waiting.dueMs > nowMs) this.lookAt(slot, waiting.dueMs);
      else {
        this.lookAt(slot, nowMs + keptMs);
        due.push(waiting);
      }
    }
    return due;
  }

  private addSlot({ queue, dueMs }: Poll<Reply>): Slot<Reply> {
    const { id, realmId, userId } = queue;
    const realm = this.realms.get(realmId) ?? { byUser: new Map(), open: new Set() };
    this.realms.set(realmId, realm);
    const nextOfUser = realm.byUser.get(userId) ?? null;
    const slot = { queue, isKept: true, waiting: null, nextOfUser, receivesAllPublic: false, dueMs };
    realm.byUser.set(userId, slot);
    this.slots.set(id, slot);
    this.wheel.add(slot);
    return slot;
  }

  private removeSlot(slot: Slot<Reply>): void {
    const { id, realmId, userId } = slot.queue;
    slot.isKept = false;
    this.slots.delete(id);
    const realm = this.realms.get(realmId);
    if (!realm) return;
    unlink(realm.byUser, userId, slot);
    realm.open.delete(slot);
    if (realm.byUser.size === 0) this.realms.delete(realmId);
  }

  private lookAt(slot: Slot<Reply>, dueMs: number): void {
    slot.dueMs = dueMs;
    this.wheel.add(slot);
  }
}

/** The polls that wait at slots, and at those that these name. */
function waitingAt<Reply>(all: Iterable<Slot<Reply>>): Poll<Reply>[] {
  const waiting: Poll<Reply>[] = [];
  for (const first of all) {
    for (let slot: Slot<Reply> | null = first; slot; slot = slot.nextOfUser) {
      if (slot.waiting) waiting.push(slot.waiting);
    }
  }
  return waiting;
}

function unlink<Reply>(byUser: Map<number, Slot<Reply>>, userId: number, slot: Slot<Reply>): void {
  const { nextOfUser: next } = slot;
  const first = byUser.get(userId);
  if (first === slot) {
    if (next) byUser.set(userId, next);
    else byUser.delete(userId);
    return;
  }
  for (let before = first ?? null; before; before = before.nextOfUser) {
    if (before.nextOfUser === slot) before.nextOfUser = next;
  }
}
