import type { MemberSets } from './matches-queue.ts';
import type { Poll } from './poll.ts';
import type { ReadyEntry } from './ready-entry.ts';

/**
 * The waiting polls, at most one per queue, indexed by realm and by user. Delivering an entry costs as much as it has
 * recipients or the realm has waiting users, whichever is less, and never as much as there are queues.
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
}

interface Realm<Reply> {
  byUser: Map<number, Poll<Reply>[]>;
  /** Polls whose queues receive every public channel. */
  open: Set<Poll<Reply>>;
}

export function createParked<Reply>(): Parked<Reply> {
  const byQueue = new Map<string, Poll<Reply>>();
  const realms = new Map<number, Realm<Reply>>();
  const none: Poll<Reply>[] = [];

  function add(poll: Poll<Reply>): void {
    const { id, realmId, userId, receivesAllPublic } = poll.queue;
    const realm = realms.get(realmId) ?? { byUser: new Map(), open: new Set() };
    realms.set(realmId, realm);
    byQueue.set(id, poll);
    const ofUser = realm.byUser.get(userId);
    if (ofUser) ofUser.push(poll);
    else realm.byUser.set(userId, [poll]);
    if (receivesAllPublic) realm.open.add(poll);
  }

  function remove(poll: Poll<Reply>): boolean {
    const { id, realmId, userId } = poll.queue;
    if (byQueue.get(id) !== poll) return false;
    byQueue.delete(id);
    const realm = realms.get(realmId);
    if (!realm) return true;
    const ofUser = realm.byUser.get(userId) ?? none;
    if (ofUser.length > 1) ofUser.splice(ofUser.indexOf(poll), 1);
    else realm.byUser.delete(userId);
    realm.open.delete(poll);
    if (realm.byUser.size === 0) realms.delete(realmId);
    return true;
  }

  return {
    get size() {
      return byQueue.size;
    },
    add,
    remove,
    ofQueue: (queueId) => byQueue.get(queueId),
    ofUser: (realmId, userId) => realms.get(realmId)?.byUser.get(userId) ?? none,
    ofRealm: (realmId) => [...(realms.get(realmId)?.byUser.values() ?? [])].flat(),
    all: () => [...byQueue.values()],
    eachIn(realmId, { audience }, sets, visit) {
      const realm = realms.get(realmId);
      if (!realm) return;
      const { byUser } = realm;
      const { users, members, except, open } = audience;
      const visitUser = (userId: number, polls: readonly Poll<Reply>[]) => {
        if (except?.includes(userId)) return;
        for (const poll of polls) visit(poll);
      };
      if (users === undefined && members === undefined) {
        for (const [userId, polls] of byUser) visitUser(userId, polls);
        return;
      }
      for (const userId of users ?? []) visitUser(userId, byUser.get(userId) ?? none);
      if (open) for (const poll of realm.open) visitUser(poll.queue.userId, [poll]);
      for (const id of members ?? []) {
        if (sets.size(id) < byUser.size) {
          for (const userId of sets.members(id)) visitUser(userId, byUser.get(userId) ?? none);
        } else {
          for (const [userId, polls] of byUser) if (sets.has(id, userId)) visitUser(userId, polls);
        }
      }
    },
  };
}
