import { type Clock, type Logger, showMemory } from '@parley/kit';
import type { Audiences, Follower, FollowerListener, LogTail } from '@parley/log';
import type { PublishedEphemeral, Entry } from '@parley/protocol';
import { type Tally, tally } from '@parley/telemetry';

import { type Ephemerals, mergeByPosition } from '../core/ephemerals.ts';
import { missingAudiences } from '../core/missing-audiences.ts';
import type { EntryParser, ReadyEntry } from '../core/ready-entry.ts';
import { type RingBudget, createRingBudget } from '../core/ring-budget.ts';
import { type Ring, type RingLimits, createRing } from '../core/ring.ts';
import { createEarlyEphemerals } from './early-ephemerals.ts';
import { loadAudiences } from './load-audiences.ts';

const ringReleased: Tally = tally(
  'parley_queue_ring_released_entries_total',
  'Log entries that left memory to make room for those of other organizations, or unused',
);

/** The realms whose logs this node follows. */
export interface Realms extends AsyncDisposable {
  /** The memory that all their rings have together. */
  readonly budget: RingBudget;
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
  limits: RingLimits & { ringTotalBytesMax: number; ephemeralMs: number };
  clock: Clock;
  signal: AbortSignal;
}

/** How often the audiences of a run are loaded together. One that is not there then either: the realm is followed anew. */
const loadsMax = 3;

interface FollowedRealm extends Realm {
  /** Resolves when the runs that wait for their audiences, and those behind them, are delivered. */
  arriving: Promise<void>;
  arrivingCount: number;
}

export const createRealms = (deps: RealmsDeps): Realms => new FollowedRealms(deps);

class FollowedRealms implements Realms {
  readonly budget: RingBudget;
  private readonly deps: RealmsDeps;
  private readonly follower: Follower;
  private readonly realms = new Map<number, FollowedRealm>();
  private readonly opening = new Map<number, Promise<Realm>>();
  private readonly earlyEphemerals: ReturnType<typeof createEarlyEphemerals>;
  private listener: RealmListener | null = null;

  constructor(deps: RealmsDeps) {
    this.deps = deps;
    this.budget = createRingBudget(deps.limits.ringTotalBytesMax, ringReleased);
    showMemory('rings', this.budget);
    this.earlyEphemerals = createEarlyEphemerals(deps);
    this.follower = deps.createFollower({
      onEntries: (realmId, entries) => this.receive(realmId, entries),
      onNewEpoch: (realmId) => this.lose(realmId),
    });
  }

  find(realmId: number): Realm | undefined {
    return this.realms.get(realmId);
  }

  all(): Iterable<Realm> {
    return this.realms.values();
  }

  open(realmId: number): Promise<Realm> {
    const followed = this.realms.get(realmId);
    if (followed) return Promise.resolve(followed);
    const opening = this.opening.get(realmId);
    if (opening) return opening;
    const started: Promise<Realm> = this.follower
      .follow(realmId)
      // Whoever was lost meanwhile is not among those that are opened any more: its tail is of a log that has ended.
      .then((tail) =>
        this.opening.get(realmId) === started ? this.start(realmId, tail) : this.open(realmId),
      )
      .finally(() => {
        if (this.opening.get(realmId) === started) this.opening.delete(realmId);
      });
    this.opening.set(realmId, started);
    return started;
  }

  closeAllBut(realmIds: ReadonlySet<number>): void {
    for (const realmId of this.realms.keys()) if (!realmIds.has(realmId)) this.close(realmId);
  }

  async catchUp(realm: Realm): Promise<void> {
    if (this.realms.get(realm.id) !== realm) return;
    await this.follower.catchUp(realm.id);
    await this.realms.get(realm.id)?.arriving;
  }

  async checkEpoch(realm: Realm): Promise<void> {
    const epoch = await this.deps.readEpoch(realm.id);
    if (epoch !== realm.epoch && this.realms.get(realm.id) === realm) this.lose(realm.id);
  }

  readonly receiveEphemeral = (event: PublishedEphemeral): void => {
    const realm = this.realms.get(event.realmId);
    if (!realm) return this.earlyEphemerals.add(event);
    const ephemeral = this.deps.readEntry.ephemeral(event);
    if (realm.ephemerals.add(ephemeral, realm.ring.head, this.deps.clock.nowMs()))
      this.listener?.onRun(realm, [ephemeral]);
  };

  listen(listener: RealmListener): void {
    this.listener = listener;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.follower[Symbol.asyncDispose]();
  }

  private isFollowed(realm: FollowedRealm): boolean {
    return this.realms.get(realm.id) === realm && !this.deps.signal.aborted;
  }

  private start(realmId: number, { epoch, floor, floorTerm, entries }: LogTail): Realm {
    const ring = createRing(floor, this.deps.limits, floorTerm, this.budget);
    ring.append(entries.map(this.deps.readEntry.logged));
    this.deps.audiences.hear(ring.term);
    const ephemerals = this.earlyEphemerals.take(realmId);
    // No poll waits here yet: the first one finds the events whose position the log has reached.
    ephemerals.reached(ring.head);
    const realm = { id: realmId, epoch, ring, ephemerals, arriving: Promise.resolve(), arrivingCount: 0 };
    this.realms.set(realmId, realm);
    return realm;
  }

  private receive(realmId: number, entries: readonly Entry[]): void {
    const realm = this.realms.get(realmId);
    if (!realm) return;
    const run = entries.map(this.deps.readEntry.logged);
    const last = run.at(-1);
    if (last && last.term !== realm.ring.term) this.deps.audiences.hear(last.term);
    if (realm.arrivingCount === 0 && missingAudiences(run, this.deps.audiences).length === 0)
      return this.deliver(realm, run);
    realm.arrivingCount += 1;
    realm.arriving = realm.arriving.then(() => this.deliverLoaded(realm, run));
  }

  private async deliverLoaded(realm: FollowedRealm, run: readonly ReadyEntry[]): Promise<void> {
    const { audiences, logger, signal } = this.deps;
    const isNeeded = () => this.isFollowed(realm);
    // What was loaded is forgotten when an entry of another server arrives meanwhile.
    for (let loads = 0; loads < loadsMax && missingAudiences(run, audiences).length > 0; loads += 1)
      await loadAudiences(run, { realm, audiences, logger, signal, isNeeded });
    const fits = missingAudiences(run, audiences).length === 0;
    for (const part of fits ? [run] : run.map((entry) => [entry])) {
      if (!fits) await loadAudiences(part, { realm, audiences, logger, signal, isNeeded });
      if (this.isFollowed(realm)) this.deliver(realm, part);
    }
    realm.arrivingCount -= 1;
  }

  private deliver(realm: FollowedRealm, run: readonly ReadyEntry[]): void {
    try {
      realm.ring.append(run);
      this.listener?.onRun(realm, mergeByPosition(run, realm.ephemerals.reached(realm.ring.head)));
    } catch (error) {
      this.deps.logger.error(
        { err: error, realmId: realm.id },
        'delivering failed; following the realm again',
      );
      this.lose(realm.id);
    }
  }

  private close(realmId: number): void {
    this.realms.get(realmId)?.ring[Symbol.dispose]();
    this.realms.delete(realmId);
    this.opening.delete(realmId);
    this.follower.unfollow(realmId);
  }

  private lose(realmId: number): void {
    this.close(realmId);
    this.listener?.onLost(realmId);
  }
}
