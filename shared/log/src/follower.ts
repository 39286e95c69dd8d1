import { type Sql, isDatabaseUnavailable } from '@parley/db';
import { type Logger, backoffMs, memoryBudget, pause, showMemory } from '@parley/kit';
import type { Entry } from '@parley/protocol';
import type { Redis, Signer } from '@parley/redis';
import pLimit from 'p-limit';

import { type CarriedRun, entriesOf, isPassedOn, receiveTraces, signedTermOf } from './carried-run.ts';
import { EarlyRuns } from './early-runs.ts';
import type { Fence } from './fence.ts';
import { FollowedStreams } from './followed-streams.ts';
import { type FollowedLog, holesFilled, measureLogs, received, waits } from './follower-metrics.ts';
import { type Position, beginningOf, epochOfTerm, termOf } from './position.ts';
import { type Head, type ReadLimits, readAllHeads, readHeads, readLog, tailStart } from './read-log.ts';
import { createSequencer, type Sequencer } from './sequencer.ts';
import { type SqlServers, oneServer } from './sql-servers.ts';

const holeMs = 60;
const holeSpreadMs = 40;
const headCheckMs = 1000;
/** Without Redis the log is read from Postgres; this is how late an event may then be. */
const headCheckWithoutRedisMs = 100;
const page: ReadLimits = { entries: 1000, bytes: 4 * 1024 * 1024 };
/** So many realms are opened at once: the tail of each is in memory before a ring counts it. */
const openingMax = 4;
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
  /** The term of the entry at the floor. */
  floorTerm: string;
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
  /** The servers that hold realms, where there may be several. */
  servers?: SqlServers;
  /** Opens a connection that may wait inside Redis. */
  connectRedis: () => Redis;
  logger: Logger;
  partitions: number;
  signer: Signer;
  fence: Fence;
  /** How much of the newest entries the tail holds. */
  tail: ReadLimits;
}

interface Realm extends FollowedLog {
  id: number;
  epoch: string;
  sequencer: Sequencer | null;
  /** What was carried before the tail was read. */
  early: EarlyRuns;
  /** While it is being read. It holds many entries, which are the listener's afterwards. */
  tail: Promise<LogTail> | null;
  holeTimer: NodeJS.Timeout | null;
  filling: Promise<void> | null;
  /** Where this node was when heads were last asked for. */
  known: Position | null;
  /** Whether its positions are being compared with the log. */
  comparing: boolean;
}

export const createFollower = (deps: FollowerDeps, listener: FollowerListener): Follower =>
  new LogFollower(deps, listener);

class LogFollower implements Follower {
  private readonly deps: FollowerDeps;
  private readonly servers: SqlServers;
  private readonly listener: FollowerListener;
  private readonly realms = new Map<number, Realm>();
  private readonly streams: FollowedStreams;
  private readonly stopping = new AbortController();
  /** What is carried for realms while their tails are read, of all of them. */
  private readonly early = { bytes: 0, bytesMax: memoryBudget('early') };
  private readonly opening = pLimit(openingMax);
  private readonly measuring: Disposable;
  /** Resolves when heads are not compared any more. */
  private readonly watching: Promise<void>;

  constructor(deps: FollowerDeps, listener: FollowerListener) {
    this.deps = deps;
    this.servers = deps.servers ?? oneServer(deps.sql);
    this.listener = listener;
    showMemory('early', this.early);
    this.streams = new FollowedStreams({
      ...deps,
      onCarried: (runs) => this.onCarried(runs),
      onFound: (runs, seen) => this.onFound(runs, seen),
    });
    this.measuring = measureLogs(() => this.realms.values(), this.streams.byPartition, deps.partitions);
    this.watching = this.watchHeads();
  }

  follow(realmId: number): Promise<LogTail> {
    const current = this.realms.get(realmId);
    if (current?.tail) return current.tail;
    // First: its stream goes on being read where the realm was followed.
    this.streams.join(realmId);
    if (current) this.unfollow(realmId);
    const realm: Realm = {
      id: realmId,
      epoch: '',
      knownHead: 0,
      sequencer: null,
      early: new EarlyRuns(this.early),
      tail: null,
      holeTimer: null,
      filling: null,
      known: null,
      comparing: false,
    };
    this.realms.set(realmId, realm);
    const tail = this.opening(() => this.readTail(realm));
    realm.tail = tail;
    tail
      .catch(() => {
        realm.early.take();
        if (this.realms.get(realmId) === realm) this.unfollow(realmId);
      })
      .finally(() => {
        realm.tail = null;
      });
    return tail;
  }

  unfollow(realmId: number): void {
    const realm = this.realms.get(realmId);
    if (!realm) return;
    if (realm.holeTimer) clearTimeout(realm.holeTimer);
    realm.early.take();
    this.realms.delete(realmId);
    this.streams.leave(realmId);
  }

  async catchUp(realmId: number): Promise<number> {
    const realm = this.realms.get(realmId);
    if (!realm) throw new Error(`Realm ${realmId} is not followed.`);
    await realm.tail;
    // A fill under way may have read before this call; the next one reads after it.
    await realm.filling;
    await this.fill(realm);
    return realm.sequencer?.head ?? 0;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.stopping.abort();
    this.measuring[Symbol.dispose]();
    for (const realmId of this.realms.keys()) this.unfollow(realmId);
    await Promise.all([this.watching, this.streams[Symbol.asyncDispose]()]);
  }

  private accept(realm: Realm, entries: Iterable<Entry>, carrier: keyof typeof received): void {
    const { sequencer } = realm;
    // What was read for a realm that is not followed any more is nothing to the one that is followed anew.
    if (!sequencer || this.realms.get(realm.id) !== realm) return;
    const run: Entry[] = [];
    for (const entry of entries) run.push(...sequencer.offer(entry));
    received[carrier].count += run.length;
    if (run.length > 0) this.listener.onEntries(realm.id, run);
    if (sequencer.hasHole && !realm.holeTimer) {
      waits.count += 1;
      // Two api nodes may publish in another order than they committed: the hole is filled after a short wait only.
      realm.holeTimer = setTimeout(
        () => {
          realm.holeTimer = null;
          if (!sequencer.hasHole) return;
          holesFilled.count += 1;
          this.fillSoon(realm);
        },
        holeMs + Math.random() * holeSpreadMs,
      );
    }
  }

  /** Null for what has to be read from Postgres: it was not carried, or is not what an api node has signed. */
  private readCarried(run: CarriedRun): Entry[] | null {
    if (run.signed === '') return null;
    const entries = entriesOf(run, this.deps.signer);
    if (!entries) {
      this.deps.logger.error(
        { realmId: run.realmId, seq: run.lastSeq },
        'an entry in Redis has no valid signature; reading Postgres instead',
      );
    }
    return entries;
  }

  private onCarried(runs: CarriedRun[]): void {
    const byRealm = new Map<Realm, Entry[]>();
    for (const run of runs) {
      const realm = this.realms.get(run.realmId);
      if (!realm) continue;
      receiveTraces(run);
      if (!realm.sequencer) {
        realm.early.keep(run);
      } else if (!isPassedOn(run, realm.sequencer)) {
        const carried = this.readCarried(run);
        if (!carried) {
          this.fillSoon(realm);
          continue;
        }
        const entries = byRealm.get(realm) ?? [];
        entries.push(...carried);
        byRealm.set(realm, entries);
      }
    }
    for (const [realm, entries] of byRealm) this.accept(realm, entries, 'redis');
  }

  /** Reads all entries after the realm's head from Postgres, one fill at a time. Rejects when Postgres is away. */
  private fill(realm: Realm): Promise<void> {
    realm.filling ??= this.fillAll(realm).finally(() => {
      realm.filling = null;
    });
    return realm.filling;
  }

  private async fillAll(realm: Realm): Promise<void> {
    const waiting = realm.sequencer?.lastWaiting ?? null;
    for (;;) {
      const { sequencer } = realm;
      if (!sequencer || this.realms.get(realm.id) !== realm) return;
      const { entries, hasMore } = await this.read(realm, (sql) =>
        readLog(sql, realm.id, sequencer.head, page),
      );
      const first = entries[0]?.seq ?? realm.knownHead + 1;
      if (first > sequencer.head + 1) {
        // This node paused for longer than the log is kept: the realm has to be followed anew.
        this.deps.logger.warn(
          { realmId: realm.id, head: sequencer.head, first },
          'the log was trimmed beyond what this node had read; starting again',
        );
        this.unfollow(realm.id);
        this.listener.onNewEpoch(realm.id);
        return;
      }
      const before = sequencer.head;
      this.accept(realm, entries, 'postgres');
      // They are of another history than this node's, which is compared now.
      if (entries.length > 0 && sequencer.head === before) return;
      if (!hasMore) {
        // What still waits was carried after its commit. If Postgres lacks it, it is lost.
        if (waiting && waiting.seq > sequencer.head) this.compare(realm, null, waiting);
        return;
      }
    }
  }

  /** Compares positions with the log, and then the realm's epoch: if one was lost, it is another. */
  private compare(realm: Realm, own: Position | null, carried: Position | null): void {
    const { fence } = this.deps;
    const { id: realmId } = realm;
    if (own) fence.claim({ realmId, ...own, epoch: beginningOf(realm.epoch) });
    if (carried?.term) fence.claim({ realmId, ...carried, epoch: epochOfTerm(carried.term) });
    if (realm.comparing) return;
    realm.comparing = true;
    fence
      .settled()
      .then(() => this.read(realm, (sql) => readHeads(sql, [realm.id])))
      .then((heads) => {
        realm.comparing = false;
        for (const head of heads) if (this.realms.get(realm.id) === realm) this.checkEpoch(realm, head);
      })
      .catch(() => {
        // The next comparison of heads finds what is left to find.
        realm.comparing = false;
      });
  }

  private fillSoon(realm: Realm): void {
    this.fill(realm).catch((error: unknown) => {
      if (!isDatabaseUnavailable(error))
        this.deps.logger.error({ err: error, realmId: realm.id }, 'reading the log failed');
    });
  }

  /** What was published says where logs have been: nobody else may know, if all nodes were started again. */
  private onFound(runs: CarriedRun[], seen: Set<number>): void {
    const { signer, fence } = this.deps;
    for (const run of runs) {
      if (run.signed === '' || seen.has(run.realmId)) continue;
      const term = signedTermOf(run, signer);
      if (term === '') continue;
      seen.add(run.realmId);
      fence.claim({ realmId: run.realmId, epoch: epochOfTerm(term), seq: run.lastSeq, term });
    }
  }

  /** Reads from the server that holds a realm. */
  private read<Result>(realm: Realm, work: (sql: Sql) => Promise<Result>): Promise<Result> {
    return this.servers.whileAnswering(realm.id, async () => work(await this.servers.sqlOf(realm.id)));
  }

  private async readTail(realm: Realm): Promise<LogTail> {
    const [head] = await this.read(realm, (sql) => readHeads(sql, [realm.id]));
    if (!head) throw new Error(`Realm ${realm.id} has no log.`);
    const { tail } = this.deps;
    const limits = { entries: tail.entries + page.entries, bytes: tail.bytes + page.bytes };
    const { entries } = await this.read(realm, async (sql) =>
      readLog(sql, realm.id, await tailStart(sql, realm.id, head.seq, tail), limits),
    );
    const [first, last] = [entries[0], entries.at(-1)];
    const end = last ? { seq: last.seq, term: termOf(last) } : head;
    realm.epoch = head.epoch;
    realm.sequencer = createSequencer({ ...end, epoch: head.epoch }, (stranger) =>
      this.onStranger(realm, stranger),
    );
    const early = realm.early.take();
    // Early entries follow the tail: they are passed on after the caller has received it.
    setImmediate(() => this.onCarried(early));
    const floor = first
      ? { floor: first.seq - 1, floorTerm: first.previousTerm ?? termOf(first) }
      : { floor: head.seq, floorTerm: head.term };
    return { epoch: head.epoch, ...floor, head: end.seq, entries };
  }

  /** Either this node or whoever wrote the entry has what the log has lost. */
  private onStranger(realm: Realm, stranger: Entry): void {
    this.compare(realm, positionOf(realm), { seq: stranger.seq, term: termOf(stranger) });
  }

  private checkEpoch(realm: Realm, { epoch }: Head): boolean {
    if (realm.epoch === epoch) return true;
    this.unfollow(realm.id);
    this.listener.onNewEpoch(realm.id);
    return false;
  }

  private checkHead(head: Head): void {
    const realm = this.realms.get(head.realmId);
    if (!realm?.sequencer) return;
    realm.knownHead = head.seq;
    if (!this.checkEpoch(realm, head)) return;
    if (head.seq > realm.sequencer.head) this.fillSoon(realm);
    const { known } = realm;
    // What was known when the head was asked for was committed before, and the head is not below it.
    if (known && (head.seq < known.seq || (head.seq === known.seq && head.term !== known.term)))
      this.compare(realm, known, null);
  }

  /** Finds entries that no carrier brought: the last ones before a publisher died, or all of them without Redis. */
  private async watchHeads(): Promise<void> {
    const { signal } = this.stopping;
    let failures = 0;
    while (!signal.aborted) {
      const wait = this.streams.areUp ? headCheckMs : headCheckWithoutRedisMs;
      await pause(failures > 0 ? wait + backoffMs(failures, { firstMs: 100, maxMs: 2000 }) : wait, signal);
      if (this.realms.size === 0) continue;
      try {
        for (const realm of this.realms.values()) realm.known = positionOf(realm);
        for (const head of await readAllHeads(this.servers, [...this.realms.keys()])) this.checkHead(head);
        failures = 0;
      } catch (error) {
        failures += 1;
        if (failures === 1) this.deps.logger.warn({ err: error }, 'cannot compare heads with Postgres');
      }
    }
  }
}

const positionOf = ({ sequencer }: Realm): Position | null =>
  sequencer && { seq: sequencer.head, term: sequencer.term };
