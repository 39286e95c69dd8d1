import {
  type Database,
  type DatabaseOptions,
  type Sql,
  type Tx,
  connectDatabase,
  connectSql,
  isStaleStatement,
} from '@parley/db';
import type { Clock, Logger, Secrets } from '@parley/kit';
import {
  type DatabaseWatch,
  type Publisher,
  Servers,
  type SqlServers,
  createDatabaseWatch,
  createEphemeralPublisher,
  createFence,
  createFlagChanger,
  createPublisher,
  createSender,
} from '@parley/log';
import type { Realm } from '@parley/model';
import * as model from '@parley/model';
import type { Job } from '@parley/protocol';
import { type Redis, createJobQueues, createSigner } from '@parley/redis';

import { type DeliveredBatch, type DeliveryBatch, deliverScheduled } from './deliver-scheduled.ts';
import { type Performer, createPerformer } from './perform.ts';
import { Replicas } from './replicas.ts';
import { type MessageToSend, type SentMessage, createSending, sendMessage } from './send-message.ts';
import { type Sweeping, atEachServer, sweep } from './sweep.ts';

export interface EngineOptions {
  databaseUrl: string;
  /** Databases that follow it, for reads that would be the same there. */
  replicaUrls?: readonly string[];
  /** The name of the connections, as Postgres lists them. */
  name: string;
  /** The most connections of each of the two pools. */
  connectionsMax: number;
  /**
   * Carries entries, ephemeral events and jobs. Null leaves entries and jobs to be found in Postgres, as when Redis is
   * away.
   */
  redis: Redis | null;
  secrets: Secrets;
  clock: Clock;
  logger: Logger;
  /** The number of streams that carry the log. */
  partitions: number;
}

/**
 * The one way to change anything: an action returns what follows from its change (entries of the log, jobs, ephemeral
 * events), and the engine sees to it. No service does so by hand.
 */
export interface Engine extends Performer, DatabaseWatch {
  db: Database;
  sql: Sql;
  /** The servers that hold organizations. */
  servers: SqlServers;
  /** Returns the database that holds an organization: where several servers are one database, the server that does. */
  dbOf(realmId: number): Promise<Database>;
  /** Returns both clients of that server for what also changes tables that every server has. They take longer. */
  serverOf(realmId: number): Promise<Server>;
  /**
   * Looks for work in all organizations: of one Postgres at once, of several servers at each about those that it holds, a
   * thousand at a time. Answers with what it found each time. One that is away keeps nobody else's work waiting.
   */
  sweep<Found>(work: Sweeping<Found>): Promise<Found[]>;
  /** Does something once at each server that holds organizations: on one Postgres once. */
  atEachServer<Result>(work: (db: Database) => Promise<Result>): Promise<Result[]>;
  /** Reads in one snapshot, so that rows that are read together are of one moment. */
  snapshot<Result>(read: (tx: Tx) => Promise<Result>): Promise<Result>;
  /** Does the same for what belongs to a realm, on the server that holds it. */
  snapshotAt<Result>(realmId: number, read: (tx: Tx) => Promise<Result>): Promise<Result>;
  /**
   * Does the same for what a realm's log tells of, and nothing else: from a replica, if one has all of the log that the
   * primary has when this is called. The result is the same.
   */
  snapshotOf<Result>(realmId: number, read: (tx: Tx) => Promise<Result>): Promise<Result>;
  /**
   * Sends a message. What sending depends on besides the text is remembered, so that most messages take one round trip
   * to Postgres; the rules hold at the message's own position in the log all the same. A retry with the same `echo` is
   * answered with the first message.
   *
   * @throws STREAM_DOES_NOT_EXIST for a channel that does not exist
   * @throws BAD_REQUEST where the sender may not write, or for an invalid text or recipient
   * @throws STREAM_WILDCARD_MENTION_NOT_ALLOWED TOPIC_WILDCARD_MENTION_NOT_ALLOWED for mentions that the sender may not
   * use
   * @throws SERVER_NOT_READY when Postgres is away, too many messages wait, or the rules change again and again
   */
  sendMessage(message: MessageToSend): Promise<SentMessage>;
  /**
   * Sends messages of a user that are due, in the order of their times and in one transaction with the ends of their
   * schedules, by the plans that sending remembers.
   *
   * @throws SERVER_NOT_READY when it should be tried again later
   */
  deliverScheduled(realm: Realm, userId: number, batch: DeliveryBatch): Promise<DeliveredBatch>;
  /** The alert words of realms, for messages that an action plans. */
  alertWords: model.alertWords.AlertWordCache;
  /** The number of the realm's newest ephemeral event; 0 when Redis is away. */
  newestEphemeral(realmId: number): Promise<number>;
}

/** A server as the engine uses it: its two pools. */
interface Server {
  db: Database;
  sql: Sql;
}

export function createEngine(options: EngineOptions): Engine {
  const { redis, clock, logger, partitions } = options;
  const database = { url: options.databaseUrl, name: options.name, max: options.connectionsMax };
  const db = connectDatabase(database);
  const sql = connectSql(database);
  const signer = createSigner(options.secrets);
  const servers = createServers({ db, sql }, database, (server, address) => {
    // It may have taken over from another that this process has appended on.
    fence.claimAll();
    return watchServer(server, `The server ${address}`);
  });
  const fence = createFence({ sql, servers, logger });
  const carrier = redis && createPublisher({ redis, signer, clock, logger, partitions });
  const publisher: Publisher = {
    publish(realmId, appended) {
      fence.remember(realmId, appended);
      carrier?.publish(realmId, appended);
    },
  };
  const sqlOf = (realmId: number) => servers.sqlOf(realmId);
  const dbOf = async (realmId: number) => (await servers.of(realmId)).db;
  const ephemerals =
    redis && createEphemeralPublisher({ sql, sqlOf, redis, signer, logger, partitions, publisher });
  const queues = redis && createJobQueues(redis, clock, logger);
  const watchServer = (server: DatabaseOptions, other?: string): DatabaseWatch => {
    const watching = connectSql({ ...server, name: `${options.name}-watch`, max: 1 });
    return createDatabaseWatch(watching, logger, { onOtherServer: () => fence.claimAll(), other });
  };
  const watch = watchServer(database);

  const enqueue = (jobs: readonly Job[]) => {
    for (const job of jobs) queues?.enqueue(job);
  };
  const performing = {
    db,
    dbOf,
    publisher,
    ephemerals,
    enqueue,
    flagChanger: createFlagChanger({ sql, sqlOf, publisher }),
  };
  const replicas = new Replicas(
    sql,
    (options.replicaUrls ?? []).map((url) => ({ ...database, url })),
    logger,
  );
  const sending = createSending({ ...performing, sender: createSender({ sql, sqlOf, publisher }) });

  return {
    ...createPerformer(performing),
    db,
    sql,
    servers,
    dbOf,
    serverOf: (realmId) => servers.wholeOf(realmId),
    sweep: (work) => sweep({ db, sql, servers }, work),
    atEachServer: (work) => atEachServer({ db, sql, servers }, work),
    snapshot: (read) => readSnapshot(db, read),
    snapshotAt: async (realmId, read) => readSnapshot(await dbOf(realmId), read),
    async snapshotOf(realmId, read) {
      const own = await dbOf(realmId);
      if (own !== db) return await readSnapshot(own, read);
      const answer = await replicas.read(realmId, readSnapshot, read);
      return answer ? answer.result : await readSnapshot(db, read);
    },
    alertWords: sending.alertWords,
    deliverScheduled: (realm, userId, batch) => deliverScheduled(sending, realm, userId, batch),
    sendMessage: (message) => sendMessage(sending, message),
    newestEphemeral: async (realmId) => (await ephemerals?.newest(realmId)) ?? 0,
    whileAnswering: (work) => watch.whileAnswering(work),
    async [Symbol.asyncDispose]() {
      await fence[Symbol.asyncDispose]();
      await Promise.all(
        [db, watch, replicas, servers]
          .map((one) => one[Symbol.asyncDispose]())
          .concat(sql.end({ timeout: 5 })),
      );
    },
  };
}

/** Each of the servers but the first has pools of its own, and is watched. */
const createServers = (
  first: Server,
  database: DatabaseOptions,
  watch: (server: DatabaseOptions, address: string) => DatabaseWatch,
): Servers<Server> =>
  new Servers({
    first,
    database,
    open(options, address) {
      const [connected, sql] = [connectDatabase(options), connectSql(options)];
      const watching = watch(options, address);
      const searching = (schema: string): Server => ({
        db: connected.searching(schema),
        sql: sql.searching(schema),
      });
      return {
        // What is asked of all organizations is asked where one part of the tables has been asked for before.
        server: searching('public'),
        part: searching,
        watch: watching,
        async [Symbol.asyncDispose]() {
          await Promise.all(
            [watching, connected].map((one) => one[Symbol.asyncDispose]()).concat(sql.end({ timeout: 5 })),
          );
        },
      };
    },
  });

/** Reads in one snapshot, with texts that take long rendered outside of it. */
const readSnapshot = <Result>(from: Database, read: (tx: Tx) => Promise<Result>): Promise<Result> =>
  untilPrepared(() =>
    model.texts.withTextsOutside((begun) =>
      from.snapshot((tx) => {
        begun(tx);
        return read(tx);
      }),
    ),
  );

/** So many statements of one snapshot may a migration have changed, on one connection. */
const staleMax = 10;

/** Reads again where a migration has changed what a prepared statement returns: each time one of them is prepared anew. */
async function untilPrepared<Result>(read: () => Promise<Result>): Promise<Result> {
  for (let tries = 0; ; tries += 1) {
    try {
      return await read();
    } catch (error) {
      if (tries === staleMax || !isStaleStatement(error)) throw error;
    }
  }
}
