import { setMaxListeners } from 'node:events';

import { type Sql, isDatabaseUnavailable } from '@parley/db';
import { type Logger, backoffMs, pause } from '@parley/kit';
import { Entry } from '@parley/protocol';
import { type Redis, type Signer, partitionOf } from '@parley/redis';
import { currentTracing } from '@parley/telemetry';

import { type FollowedLog, holesFilled, measureLogs, received, waits } from './follower-metrics.ts';
import { type Head, type ReadLimits, readHeads, readLog, tailStart } from './read-log.ts';
import { type CarriedRun, readPartition } from './read-partition.ts';
import { createSequencer, type Sequencer } from './sequencer.ts';

const holeMs = 60;
const holeSpreadMs = 40;
const headCheckMs = 1000;
/** Without Redis the log is read from Postgres; this is how late an event may then be. */
const headCheckWithoutRedisMs = 100;
const page: ReadLimits = { entries: 1000, bytes: 4 * 1024 * 1024 };
/** How much is kept of what is carried for a realm while its tail is read. What is beyond is read from Postgres. */
const earlyBytesMax = 4 * 1024 * 1024;
/** What a run takes beside its text. */
const runBytes = 200;

/** Follows the logs of the realms that a node serves, by whichever carrier is fastest. */
export interface Follower extends AsyncDisposable {
  /** Starts to follow a realm. Resolves with the recent tail; from then on `onEntries` receives each next run. */
  follow(realmId: number): Promise<LogTail>;
  unfollow(realmId: number): void;
  /** Resolves, with the head, when everything committed before the call has been passed to `onEntries`. */
  catchUp(realmId: number): Promise<number>;
}

/** The entries after `floor` up to `head`, without holes. */
export interface LogTail {
  epoch: string;
  floor: number;
  head: number;
  entries: Entry[];
}

export interface FollowerListener {
  /** Receives every entry of a followed realm once, in order, without holes. */
  onEntries(realmId: number, entries: Entry[]): void;
  /** The realm's log started anew, or was trimmed past this node. The realm is not followed any more. */
  onNewEpoch(realmId: number): void;
}

interface FollowerDeps {
  sql: Sql;
  /** Opens a connection that may wait inside Redis. */
  connectRedis: () => Redis;
  logger: Logger;
  partitions: number;
  signer: Signer;
  /** How much of the newest entries the tail holds. */
  tail: ReadLimits;
}

interface Realm extends FollowedLog {
  id: number;
  epoch: string;
  sequencer: Sequencer | null;
  /** What was carried before the tail was read. */
  early: CarriedRun[];
  earlyBytes: number;
  tail: Promise<LogTail> | null;
  holeTimer: NodeJS.Timeout | null;
  filling: Promise<void> | null;
}

export function createFollower(deps: FollowerDeps, { onEntries, onNewEpoch }: FollowerListener): Follower {
  const { sql, connectRedis, logger, partitions, signer, tail: tailLimits } = deps;
  const realms = new Map<number, Realm>();
  const readers = new Map<number, { isUp: boolean; done: Promise<void> }>();
  const stopping = new AbortController();
  const { signal } = stopping;
  // Each partition's reader listens to the signal: more than ten listeners are no leak.
  setMaxListeners(0, signal);
  const measuring = measureLogs(() => realms.values(), readers, partitions);

  function accept(realm: Realm, entries: Iterable<Entry>, carrier: keyof typeof received): void {
    const { sequencer } = realm;
    // What was read for a realm that is not followed any more is nothing to the one that is followed anew.
    if (!sequencer || realms.get(realm.id) !== realm) return;
    const run: Entry[] = [];
    for (const entry of entries) run.push(...sequencer.offer(entry));
    received[carrier].count += run.length;
    if (run.length > 0) onEntries(realm.id, run);
    if (sequencer.hasHole && !realm.holeTimer) {
      waits.count += 1;
      // Two api nodes may publish in another order than they committed: the hole is filled after a short wait only.
      realm.holeTimer = setTimeout(
        () => {
          realm.holeTimer = null;
          if (!sequencer.hasHole) return;
          holesFilled.count += 1;
          fillSoon(realm);
        },
        holeMs + Math.random() * holeSpreadMs,
      );
    }
  }

  /** Null for what has to be read from Postgres: it was not carried, or is not what an api node has signed. */
  function readCarried({ realmId, lastSeq, signed }: CarriedRun): Entry[] | null {
    if (signed === '') return null;
    const lines = signer.verify(`entries ${realmId} ${lastSeq}`, signed);
    if (lines !== null) return lines.split('\n').map((json) => Entry.parse(JSON.parse(json)));
    logger.error({ realmId, seq: lastSeq }, 'an entry in Redis is not signed; reading Postgres');
    return null;
  }

  function onCarried(runs: CarriedRun[]): void {
    const byRealm = new Map<Realm, Entry[]>();
    for (const run of runs) {
      const realm = realms.get(run.realmId);
      if (!realm) continue;
      if (run.traces !== undefined) onTraces(run, run.traces.split(' '));
      if (!realm.sequencer) {
        realm.earlyBytes += run.signed.length + runBytes;
        if (realm.earlyBytes <= earlyBytesMax) realm.early.push(run);
      } else if (run.lastSeq > realm.sequencer.head) {
        const carried = readCarried(run);
        if (!carried) {
          fillSoon(realm);
          continue;
        }
        const entries = byRealm.get(realm) ?? [];
        entries.push(...carried);
        byRealm.set(realm, entries);
      }
    }
    for (const [realm, entries] of byRealm) accept(realm, entries, 'redis');
  }

  /** Reads all entries after the realm's head from Postgres, one fill at a time. Rejects when Postgres is away. */
  function fill(realm: Realm): Promise<void> {
    realm.filling ??= (async () => {
      for (;;) {
        const { sequencer } = realm;
        if (!sequencer || realms.get(realm.id) !== realm) return;
        const { entries, hasMore } = await readLog(sql, realm.id, sequencer.head, page);
        const [first] = entries;
        if (first && first.seq > sequencer.head + 1) {
          // This node paused for longer than the log is kept: the realm has to be followed anew.
          logger.warn(
            { realmId: realm.id, head: sequencer.head, first: first.seq },
            'log trimmed past this node',
          );
          unfollow(realm.id);
          onNewEpoch(realm.id);
          return;
        }
        accept(realm, entries, 'postgres');
        if (!hasMore) return;
      }
    })().finally(() => {
      realm.filling = null;
    });
    return realm.filling;
  }

  function fillSoon(realm: Realm): void {
    fill(realm).catch((error: unknown) => {
      if (!isDatabaseUnavailable(error))
        logger.error({ err: error, realmId: realm.id }, 'reading the log failed');
    });
  }

  function readPartitionOf(realmId: number): void {
    const partition = partitionOf(realmId, partitions);
    if (readers.has(partition)) return;
    const reader = { isUp: false, done: Promise.resolve() };
    readers.set(partition, reader);
    const onState = (isUp: boolean) => {
      reader.isUp = isUp;
    };
    reader.done = readPartition({ partition, connectRedis, logger, signal, onCarried, onState });
  }

  async function readTail(realm: Realm): Promise<LogTail> {
    const [head] = await readHeads(sql, [realm.id]);
    if (!head) throw new Error(`Realm ${realm.id} has no log.`);
    const start = await tailStart(sql, realm.id, head.seq, tailLimits);
    const { entries } = await readLog(sql, realm.id, start, {
      entries: tailLimits.entries + page.entries,
      bytes: tailLimits.bytes + page.bytes,
    });
    const last = entries.at(-1)?.seq ?? head.seq;
    realm.epoch = head.epoch;
    realm.sequencer = createSequencer(last);
    const early = realm.early.splice(0);
    // Early entries follow the tail: they are passed on after the caller has received it.
    setImmediate(() => onCarried(early));
    return { epoch: head.epoch, floor: (entries[0]?.seq ?? head.seq + 1) - 1, head: last, entries };
  }

  function unfollow(realmId: number): void {
    const realm = realms.get(realmId);
    if (realm?.holeTimer) clearTimeout(realm.holeTimer);
    realms.delete(realmId);
  }

  function checkHead({ realmId, epoch, seq }: Head): void {
    const realm = realms.get(realmId);
    if (!realm?.sequencer) return;
    realm.knownHead = seq;
    if (realm.epoch !== epoch) {
      unfollow(realmId);
      onNewEpoch(realmId);
    } else if (seq > realm.sequencer.head) fillSoon(realm);
  }

  /** Finds entries that no carrier brought: the last ones before a publisher died, or all of them without Redis. */
  async function watchHeads(): Promise<void> {
    let failures = 0;
    while (!signal.aborted) {
      const hasRedis = [...readers.values()].every(({ isUp }) => isUp);
      const wait = hasRedis ? headCheckMs : headCheckWithoutRedisMs;
      await pause(failures > 0 ? wait + backoffMs(failures, { firstMs: 100, maxMs: 2000 }) : wait, signal);
      if (realms.size === 0) continue;
      try {
        for (const head of await readHeads(sql, [...realms.keys()])) checkHead(head);
        failures = 0;
      } catch (error) {
        failures += 1;
        if (failures === 1) logger.warn({ err: error }, 'cannot compare heads with Postgres');
      }
    }
  }
  const watching = watchHeads();

  return {
    follow(realmId) {
      const current = realms.get(realmId);
      if (current?.tail) return current.tail;
      const realm: Realm = {
        id: realmId,
        epoch: '',
        knownHead: 0,
        sequencer: null,
        early: [],
        earlyBytes: 0,
        tail: null,
        holeTimer: null,
        filling: null,
      };
      realms.set(realmId, realm);
      readPartitionOf(realmId);
      const tail = readTail(realm);
      realm.tail = tail;
      tail.catch(() => {
        if (realms.get(realmId) === realm) realms.delete(realmId);
      });
      return tail;
    },
    unfollow,
    async catchUp(realmId) {
      const realm = realms.get(realmId);
      if (!realm) throw new Error(`Realm ${realmId} is not followed.`);
      await realm.tail;
      // A fill under way may have read before this call; the next one reads after it.
      await realm.filling;
      await fill(realm);
      return realm.sequencer?.head ?? 0;
    },
    async [Symbol.asyncDispose]() {
      stopping.abort();
      measuring[Symbol.dispose]();
      for (const realmId of realms.keys()) unfollow(realmId);
      await Promise.all([watching, ...[...readers.values()].map(({ done }) => done)]);
    },
  };
}

function onTraces({ realmId, lastSeq }: CarriedRun, traces: readonly string[]): void {
  for (const [index, trace] of traces.entries()) {
    const seq = lastSeq - traces.length + 1 + index;
    currentTracing()?.received({ realmId, seq }, trace);
  }
}
