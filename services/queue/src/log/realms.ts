import type { Clock, Logger } from '@parley/kit';
import type { Audiences, Follower, FollowerListener, LogTail } from '@parley/log';
import type { PublishedEphemeral, Entry } from '@parley/protocol';

import { type Ephemerals, mergeById } from '../core/ephemerals.ts';
import { missingAudiences } from '../core/missing-audiences.ts';
import type { EntryParser, ReadyEntry } from '../core/ready-entry.ts';
import { type Ring, type RingLimits, createRing } from '../core/ring.ts';
import { createEarlyEphemerals } from './early-ephemerals.ts';
import { loadAudiences } from './load-audiences.ts';

/** The realms whose logs this node follows. */
export interface Realms extends AsyncDisposable {
  /** The realm, if it is followed. */
  find(realmId: number): Realm | undefined;
  /** All realms that are followed. */
  all(): Iterable<Realm>;
  /** Follows the realm, if it is not followed yet. Rejects when Postgres is away. */
  open(realmId: number): Promise<Realm>;
  /** Stops following every realm but these. */
  closeAllBut(realmIds: ReadonlySet<number>): void;
  /** Resolves when all that was committed before the call is in the ring, or the realm was lost. */
  catchUp(realm: Realm): Promise<void>;
  /** Compares the realm's epoch with Postgres now. If the log started anew, the realm is lost. */
  checkEpoch(realm: Realm): Promise<void>;
  /** Accepts an ephemeral event of any realm. */
  readonly receiveEphemeral: (event: PublishedEphemeral) => void;
  /** Sets the listener. It has to be set before the first realm is opened. */
  listen(listener: RealmListener): void;
}

/** A realm whose log this node follows. */
export interface Realm {
  readonly id: number;
  readonly epoch: string;
  readonly ring: Ring;
  readonly ephemerals: Ephemerals;
}

export interface RealmListener {
  /** The run is in the ring and its audiences are loaded. Ephemeral events stand between its entries. */
  onRun(realm: Realm, run: readonly ReadyEntry[]): void;
  /** The realm is not followed any more: its log started anew, or was trimmed past this node. */
  onLost(realmId: number): void;
}

interface RealmsDeps {
  createFollower(listener: FollowerListener): Follower;
  /** Reads the epoch of a realm's log from Postgres. */
  readEpoch(realmId: number): Promise<string | undefined>;
  logger: Logger;
  audiences: Audiences;
  readEntry: EntryParser;
  limits: RingLimits;
  clock: Clock;
  signal: AbortSignal;
}

interface FollowedRealm extends Realm {
  /** Resolves when the runs that wait for their audiences, and those behind them, are delivered. */
  arriving: Promise<void>;
  arrivingCount: number;
}

export function createRealms(deps: RealmsDeps): Realms {
  const { audiences, readEntry, limits, logger, signal, clock } = deps;
  const realms = new Map<number, FollowedRealm>();
  const opening = new Map<number, Promise<Realm>>();
  const earlyEphemerals = createEarlyEphemerals({ readEntry, clock });
  let listener: RealmListener | null = null;
  const follower = deps.createFollower({ onEntries: receive, onNewEpoch: lose });

  const isFollowed = (realm: FollowedRealm) => realms.get(realm.id) === realm && !signal.aborted;

  function start(realmId: number, { epoch, floor, entries }: LogTail): Realm {
    const ring = createRing(floor, limits);
    ring.append(entries.map(readEntry.logged));
    const ephemerals = earlyEphemerals.take(realmId);
    // No poll waits here yet: the first one finds the events whose position the log has reached.
    ephemerals.reached(ring.head);
    const realm = { id: realmId, epoch, ring, ephemerals, arriving: Promise.resolve(), arrivingCount: 0 };
    realms.set(realmId, realm);
    return realm;
  }

  function receive(realmId: number, entries: readonly Entry[]): void {
    const realm = realms.get(realmId);
    if (!realm) return;
    const run = entries.map(readEntry.logged);
    if (realm.arrivingCount === 0 && missingAudiences(run, audiences).length === 0)
      return deliver(realm, run);
    realm.arrivingCount += 1;
    realm.arriving = realm.arriving.then(() => deliverLoaded(realm, run));
  }

  async function deliverLoaded(realm: FollowedRealm, run: readonly ReadyEntry[]): Promise<void> {
    await loadAudiences(run, { realm, audiences, logger, signal, isNeeded: () => isFollowed(realm) });
    realm.arrivingCount -= 1;
    if (isFollowed(realm)) deliver(realm, run);
  }

  function deliver(realm: FollowedRealm, run: readonly ReadyEntry[]): void {
    try {
      realm.ring.append(run);
      listener?.onRun(realm, mergeById(run, realm.ephemerals.reached(realm.ring.head)));
    } catch (error) {
      logger.error({ err: error, realmId: realm.id }, 'delivering failed; following the realm again');
      lose(realm.id);
    }
  }

  function close(realmId: number): void {
    realms.delete(realmId);
    opening.delete(realmId);
    follower.unfollow(realmId);
  }

  function lose(realmId: number): void {
    close(realmId);
    listener?.onLost(realmId);
  }

  return {
    find: (realmId) => realms.get(realmId),
    all: () => realms.values(),
    open(realmId) {
      const followed = realms.get(realmId);
      if (followed) return Promise.resolve(followed);
      const started =
        opening.get(realmId) ??
        follower
          .follow(realmId)
          .then((tail) => realms.get(realmId) ?? start(realmId, tail))
          .finally(() => opening.delete(realmId));
      opening.set(realmId, started);
      return started;
    },
    closeAllBut(realmIds) {
      for (const realmId of realms.keys()) if (!realmIds.has(realmId)) close(realmId);
    },
    async catchUp(realm) {
      await follower.catchUp(realm.id);
      await realms.get(realm.id)?.arriving;
    },
    async checkEpoch(realm) {
      const epoch = await deps.readEpoch(realm.id);
      if (epoch !== realm.epoch && realms.get(realm.id) === realm) lose(realm.id);
    },
    receiveEphemeral(event) {
      const realm = realms.get(event.realmId);
      if (!realm) return earlyEphemerals.add(event);
      const ephemeral = readEntry.ephemeral(event);
      if (realm.ephemerals.add(ephemeral, realm.ring.head, clock.nowMs()))
        listener?.onRun(realm, [ephemeral]);
    },
    listen(realmListener) {
      listener = realmListener;
    },
    [Symbol.asyncDispose]: () => follower[Symbol.asyncDispose](),
  };
}
