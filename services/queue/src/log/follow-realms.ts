import { type Logger, backoffMs, pause } from '@parley/kit';
import { type Audiences, type Follower, type LogTail, type Sql, readHeads } from '@parley/log';
import type { CarriedEphemeral, Entry } from '@parley/protocol';
import { LRUCache } from 'lru-cache';

import { type Ephemerals, createEphemerals, mergeById } from '../core/ephemerals.ts';
import { missingAudiences } from '../core/missing-audiences.ts';
import type { EntryReader, ReadyEntry } from '../core/ready-entry.ts';
import { type Ring, type RingLimits, createRing } from '../core/ring.ts';

/** A realm whose log this node follows. */
export interface Realm {
  readonly id: number;
  readonly epoch: string;
  readonly ring: Ring;
  readonly ephemerals: Ephemerals;
}

/** The logs of the realms that this node serves: log → ring → whoever waits. */
export interface Realms {
  /** The realm, if it is followed already. */
  find(realmId: number): Realm | undefined;
  /** Starts following, if need be. Rejects when Postgres is away. */
  open(realmId: number): Promise<Realm>;
  close(realmId: number): void;
  /** Resolves when all that was committed before the call is in the ring, or the realm was lost. */
  catchUp(realm: Realm): Promise<void>;
  /** Compares epochs with Postgres now; if the log started anew, the realm is lost. */
  checkEpoch(realm: Realm): Promise<void>;
  /** For the follower: the next run of a realm's entries. */
  take(realmId: number, entries: readonly Entry[]): void;
  /** Something was said beside the log of a realm that is followed. */
  takeEphemeral(event: CarriedEphemeral): void;
  /** For the follower: the realm's log started anew, or was trimmed past this node. */
  lose(realmId: number): void;
  all(): Iterable<Realm>;
}

export interface RealmsNeeds {
  follower: Follower;
  sql: Sql;
  audiences: Audiences;
  readEntry: EntryReader;
  limits: RingLimits;
  logger: Logger;
  signal: AbortSignal;
  nowMs(): number;
  /** The run is in the ring, and its audiences are loaded; between its entries is what was said beside the log. */
  onRun(realm: Realm, run: readonly ReadyEntry[]): void;
  onLost(realmId: number): void;
}

interface Following extends Realm {
  /** Runs that wait for their audiences, and what came after them. */
  arriving: Promise<void>;
  arrivingCount: number;
}

const overheardRealmsMax = 1000;

export function followRealms(needs: RealmsNeeds): Realms {
  const { follower, sql, audiences, readEntry, limits, logger, signal, nowMs, onRun, onLost } = needs;
  const realms = new Map<number, Following>();
  const opening = new Map<number, Promise<Realm>>();
  /** What is said in realms that nobody has asked about here yet: the first poll may be a moment behind it. */
  const overheard = new LRUCache<number, Ephemerals>({ max: overheardRealmsMax });

  /** Before its log is followed, a realm's log has come nowhere. */
  function overhear(event: CarriedEphemeral): void {
    const ephemerals = overheard.get(event.realmId) ?? createEphemerals();
    overheard.set(event.realmId, ephemerals);
    ephemerals.add(readEntry.ephemeral(event), 0, nowMs());
  }

  function start(realmId: number, { epoch, floor, entries }: LogTail): Realm {
    const ring = createRing(floor, limits);
    ring.append(entries.map(readEntry.logged));
    const ephemerals = overheard.get(realmId) ?? createEphemerals();
    overheard.delete(realmId);
    // Nobody waits here yet: whoever comes finds what the log has come to.
    ephemerals.reached(ring.head);
    const realm = {
      id: realmId,
      epoch,
      ring,
      ephemerals,
      arriving: Promise.resolve(),
      arrivingCount: 0,
    };
    realms.set(realmId, realm);
    return realm;
  }

  function deliver(realm: Following, run: readonly ReadyEntry[]): void {
    try {
      realm.ring.append(run);
      onRun(realm, mergeById(run, realm.ephemerals.reached(realm.ring.head)));
    } catch (error) {
      logger.error({ err: error, realmId: realm.id }, 'delivering failed; following the realm anew');
      lose(realm.id);
    }
  }

  /** The log waits for an audience rather than pass anyone over. */
  async function load(realm: Following, run: readonly ReadyEntry[]): Promise<void> {
    for (let failures = 0; realms.get(realm.id) === realm && !signal.aborted; failures += 1) {
      try {
        await audiences.load(missingAudiences(run, audiences));
        return;
      } catch (error) {
        logger.warn({ err: error, realmId: realm.id, head: realm.ring.head }, 'cannot load an audience');
        await pause(backoffMs(failures, { firstMs: 50, maxMs: 1000 }), signal);
      }
    }
  }

  async function deliverLoaded(realm: Following, run: readonly ReadyEntry[]): Promise<void> {
    await load(realm, run);
    realm.arrivingCount -= 1;
    if (realms.get(realm.id) === realm && !signal.aborted) deliver(realm, run);
  }

  function drop(realmId: number): void {
    realms.delete(realmId);
    opening.delete(realmId);
    follower.unfollow(realmId);
  }

  function lose(realmId: number): void {
    drop(realmId);
    onLost(realmId);
  }

  return {
    find: (realmId) => realms.get(realmId),
    open(realmId) {
      const open = realms.get(realmId);
      if (open) return Promise.resolve(open);
      const started =
        opening.get(realmId) ??
        follower
          .follow(realmId)
          .then((followed) => realms.get(realmId) ?? start(realmId, followed))
          .finally(() => opening.delete(realmId));
      opening.set(realmId, started);
      return started;
    },
    close: drop,
    async catchUp(realm) {
      await follower.catchUp(realm.id);
      await realms.get(realm.id)?.arriving;
    },
    async checkEpoch(realm) {
      const [head] = await readHeads(sql, [realm.id]);
      if (head?.epoch !== realm.epoch && realms.get(realm.id) === realm) lose(realm.id);
    },
    take(realmId, entries) {
      const realm = realms.get(realmId);
      if (!realm) return;
      const run = entries.map(readEntry.logged);
      if (realm.arrivingCount === 0 && missingAudiences(run, audiences).length === 0)
        return deliver(realm, run);
      realm.arrivingCount += 1;
      realm.arriving = realm.arriving.then(() => deliverLoaded(realm, run));
    },
    takeEphemeral(event) {
      const realm = realms.get(event.realmId);
      if (!realm) return overhear(event);
      const ephemeral = readEntry.ephemeral(event);
      if (realm.ephemerals.add(ephemeral, realm.ring.head, nowMs())) onRun(realm, [ephemeral]);
    },
    lose,
    all: () => realms.values(),
  };
}
