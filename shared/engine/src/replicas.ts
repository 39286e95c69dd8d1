import {
  type ConnectedDatabase,
  type Database,
  type DatabaseOptions,
  type Sql,
  type Tx,
  connectDatabase,
  connectSql,
  createSchemaCheck,
  isConflict,
  isDatabaseError,
  isDatabaseUnavailable,
} from '@parley/db';
import { type Logger, every } from '@parley/kit';
import { type DatabaseWatch, createDatabaseWatch, readTerm } from '@parley/log';
import * as model from '@parley/model';
import { gauge, tallies } from '@parley/telemetry';

import { NewestHeads } from './newest-heads.ts';

const outcomes = ['served', 'behind', 'failed', 'unavailable'] as const;

const reads = tallies(
  'parley_replica_reads_total',
  'Reads that a replica may serve: served by one; or by the primary because the replica was behind, failed, or none was available',
  'outcome',
  outcomes,
);
const available = gauge(
  'parley_replicas_available',
  'Replicas that are asked, of those in DATABASE_REPLICAS',
);

const checkMs = 500;
/** A replica that is as late as this has hardly anything that a read needs. */
const lateMsMax = 10_000;

/** Reads in one snapshot of a database. */
type ReadSnapshot = <Result>(db: Database, read: (tx: Tx) => Promise<Result>) => Promise<Result>;

/** What the replica lacks of the realm's log, or has beside it. */
class Behind extends Error {}

/** Databases that follow the primary, for reads that would be the same there. */
export class Replicas implements AsyncDisposable {
  private readonly primary: Sql;
  private readonly heads: NewestHeads;
  private readonly replicas: Replica[];
  private readonly measuring: Disposable;

  constructor(primary: Sql, databases: readonly DatabaseOptions[], logger: Logger) {
    this.primary = primary;
    this.heads = new NewestHeads(primary);
    this.replicas = databases.map((database) => new Replica(database, logger));
    this.measuring = available.watch((set) => {
      if (this.replicas.length > 0) set(this.replicas.filter(({ isAvailable }) => isAvailable).length);
    });
  }

  /**
   * Reads what a realm's log tells of, in a snapshot of a replica in which nothing is missing that the primary had when this
   * was called. Null if no replica has it, at once: then the primary is to be read.
   */
  async read<Result>(
    realmId: number,
    readSnapshot: ReadSnapshot,
    read: (tx: Tx) => Promise<Result>,
  ): Promise<{ result: Result } | null> {
    if (this.replicas.length === 0) return null;
    const replica = this.leastBusy();
    if (!replica) {
      reads.unavailable.count += 1;
      return null;
    }
    const newest = this.heads.of(realmId);
    newest.catch(() => undefined);
    try {
      const result = await replica.use(({ db }) =>
        readSnapshot(db, async (tx) => {
          if (!(await this.isExact(tx, realmId, newest))) throw new Behind();
          return await read(tx);
        }),
      );
      reads.served.count += 1;
      return { result };
    } catch (error) {
      if (error instanceof Behind) reads.behind.count += 1;
      // An error of the read itself is the answer. Whatever else is wrong with a replica, the primary is asked.
      else if (isDatabaseError(error)) reads.failed.count += 1;
      else throw error;
      return null;
    }
  }

  private leastBusy(): Replica | undefined {
    const usable = this.replicas.filter(({ isAvailable }) => isAvailable);
    const [first, ...others] = usable;
    return others.reduce((least, one) => (one.underWay < (least?.underWay ?? 0) ? one : least), first);
  }

  /**
   * Returns whether a snapshot is of the same history as the primary, and has all of it up to now. The head row in the
   * snapshot is the position of the snapshot, because every change of a realm that its log tells of moves it.
   */
  private async isExact(tx: Tx, realmId: number, newest: ReturnType<NewestHeads['of']>): Promise<boolean> {
    const [own, head] = await Promise.all([model.realms.findLogHead(tx, realmId), newest]);
    if (!own || !head || own.epoch !== head.epoch || own.seq < head.seq) return false;
    if (own.seq === head.seq) return own.term === head.term;
    // It has an entry that came meanwhile, or one that a primary before this one took with it.
    return (await readTerm(this.primary, realmId, own.seq)) === own.term;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.measuring[Symbol.dispose]();
    await Promise.all(this.replicas.map((replica) => replica[Symbol.asyncDispose]()));
  }
}

class Replica implements AsyncDisposable {
  readonly db: ConnectedDatabase;
  /** Reads that it has been given and has not answered. */
  underWay = 0;
  private readonly watch: DatabaseWatch;
  private readonly checking: Disposable;
  private lateMs = Number.POSITIVE_INFINITY;

  constructor(database: DatabaseOptions, logger: Logger) {
    this.db = connectDatabase(database);
    const sql = connectSql({ ...database, name: `${database.name}-watch`, max: 1 });
    this.watch = createDatabaseWatch(sql, logger, { other: 'A replica' });
    const isMigrated = createSchemaCheck(sql);
    const check = async () => {
      const lateMs = await readLateness(sql).catch(() => Number.POSITIVE_INFINITY);
      this.lateMs = (await isMigrated()) ? lateMs : Number.POSITIVE_INFINITY;
    };
    void check();
    this.checking = every(checkMs, logger, check);
  }

  /** Whether it answers, has the schema of this version, and is not late by much. */
  get isAvailable(): boolean {
    return this.lateMs <= lateMsMax;
  }

  /** Does work that waits for it. The work fails soon after it has fallen silent. */
  async use<Result>(work: (replica: this) => Promise<Result>): Promise<Result> {
    this.underWay += 1;
    try {
      return await this.watch.whileAnswering(() => work(this));
    } catch (error) {
      // Until it has answered again.
      if (isDatabaseUnavailable(error) && !isConflict(error)) this.lateMs = Number.POSITIVE_INFINITY;
      throw error;
    } finally {
      this.underWay -= 1;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.checking[Symbol.dispose]();
    await this.watch[Symbol.asyncDispose]();
    await this.db[Symbol.asyncDispose]();
  }
}

/** Returns how long ago the primary did what the server did last, in milliseconds; 0 for one that has all it has heard of. */
async function readLateness(sql: Sql): Promise<number> {
  const [row] = await sql<{ ms: number }[]>`
    select case
      when not pg_is_in_recovery() then 0
      when pg_last_wal_receive_lsn() = pg_last_wal_replay_lsn() and exists (select from pg_stat_wal_receiver) then 0
      else extract(epoch from clock_timestamp() - coalesce(pg_last_xact_replay_timestamp(), 'epoch')) * 1000
    end::float8 as ms`;
  return row?.ms ?? Number.POSITIVE_INFINITY;
}
