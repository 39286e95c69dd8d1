import type { MemberSets } from './matches-queue.ts';
import type { Place, Poll } from './poll.ts';
import type { ReadyEntry } from './ready-entry.ts';
import { createTimerWheel } from './timer-wheel.ts';

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
  /** The first place of each user: it names the next one. Nearly every user has one, and needs no list. */
  byUser: Map<number, Place<Reply>>;
  /** Places of queues that receive every public channel. */
  open: Set<Place<Reply>>;
}

/** A place at which nobody waits is kept for about this long. */
const keptMs = 30_000;

export function createParked<Reply>(nowMs: number): Parked<Reply> {
  const places = new Map<string, Place<Reply>>();
  const realms = new Map<number, Realm<Reply>>();
  const wheel = createTimerWheel<Place<Reply>>(nowMs);
  let size = 0;

  function addPlace({ queue, dueMs }: Poll<Reply>): Place<Reply> {
    const { id, realmId, userId } = queue;
    const realm = realms.get(realmId) ?? { byUser: new Map(), open: new Set() };
    realms.set(realmId, realm);
    const nextOfUser = realm.byUser.get(userId) ?? null;
    const place = { queue, isKept: true, waiting: null, nextOfUser, receivesAllPublic: false, dueMs };
    realm.byUser.set(userId, place);
    places.set(id, place);
    wheel.add(place);
    return place;
  }

  function removePlace(place: Place<Reply>): void {
    const { id, realmId, userId } = place.queue;
    place.isKept = false;
    places.delete(id);
    const realm = realms.get(realmId);
    if (!realm) return;
    unlink(realm.byUser, userId, place);
    realm.open.delete(place);
    if (realm.byUser.size === 0) realms.delete(realmId);
  }

  function lookAt(place: Place<Reply>, dueMs: number): void {
    place.dueMs = dueMs;
    wheel.add(place);
  }

  const waitingAt = (all: Iterable<Place<Reply>>) => {
    const waiting: Poll<Reply>[] = [];
    for (const first of all) {
      for (let place: Place<Reply> | null = first; place; place = place.nextOfUser) {
        if (place.waiting) waiting.push(place.waiting);
      }
    }
    return waiting;
  };

  return {
    get size() {
      return size;
    },
    add(poll) {
      const { id, realmId, receivesAllPublic } = poll.queue;
      const place = (poll.place?.isKept ? poll.place : places.get(id)) ?? addPlace(poll);
      poll.place = place;
      place.waiting = poll;
      size += 1;
      if (poll.dueMs < place.dueMs) {
        wheel.remove(place);
        lookAt(place, poll.dueMs);
      }
      if (receivesAllPublic === place.receivesAllPublic) return;
      place.receivesAllPublic = receivesAllPublic;
      if (receivesAllPublic) realms.get(realmId)?.open.add(place);
      else realms.get(realmId)?.open.delete(place);
    },
    remove(poll) {
      const { place } = poll;
      if (place?.waiting !== poll) return false;
      place.waiting = null;
      size -= 1;
      return true;
    },
    ofQueue: (queueId) => places.get(queueId)?.waiting ?? undefined,
    ofUser(realmId, userId) {
      const first = realms.get(realmId)?.byUser.get(userId);
      return first ? waitingAt([first]) : [];
    },
    ofRealm: (realmId) => waitingAt(realms.get(realmId)?.byUser.values() ?? []),
    all: () => [...realms.values()].flatMap(({ byUser }) => waitingAt(byUser.values())),
    eachIn(realmId, { audience }, sets, visit) {
      const realm = realms.get(realmId);
      if (!realm) return;
      const { byUser } = realm;
      const { users, members, except, open } = audience;
      const visitUser = (userId: number, first: Place<Reply> | undefined) => {
        if (except?.includes(userId)) return;
        for (let place = first ?? null; place; place = place.nextOfUser) {
          if (place.waiting) visit(place.waiting);
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
    },
    due(now) {
      const due: Poll<Reply>[] = [];
      for (const place of wheel.due(now)) {
        const { waiting } = place;
        if (!waiting) removePlace(place);
        else if (waiting.dueMs > now) lookAt(place, waiting.dueMs);
        else {
          lookAt(place, now + keptMs);
          due.push(waiting);
        }
      }
      return due;
    },
  };
}

function unlink<Reply>(byUser: Map<number, Place<Reply>>, userId: number, place: Place<Reply>): void {
  const { nextOfUser: next } = place;
  const first = byUser.get(userId);
  if (first === place) {
    if (next) byUser.set(userId, next);
    else byUser.delete(userId);
    return;
  }
  for (let before = first ?? null; before; before = before.nextOfUser) {
    if (before.nextOfUser === place) before.nextOfUser = next;
  }
}
