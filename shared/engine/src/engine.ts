import type { AfterCommit } from '@parley/actions';
import { type Database, type Sql, type Tx, connectDatabase, connectSql } from '@parley/db';
import type { Clock, Logger } from '@parley/kit';
import {
  type Committed as Performed,
  commit,
  createEphemeralPublisher,
  createPublisher,
  createSender,
} from '@parley/log';
import type { ActionResult, Job } from '@parley/protocol';
import { type Redis, createJobQueues } from '@parley/redis';

import { type MessageToSend, type SentMessage, createMessageSender } from './send-message.ts';

export type { Performed };

export interface EngineOptions {
  databaseUrl: string;
  /** Names the connections to whoever looks at the database. */
  name: string;
  /** Most connections of each of the two pools. */
  connectionsMax: number;
  /** Carries entries, ephemeral events and jobs. Null leaves them to be found in Postgres, as when Redis is away. */
  redis: Redis | null;
  clock: Clock;
  logger: Logger;
  /** Number of streams that carry the log. */
  partitions: number;
}

/** What follows from statements that no log entry tells of. */
export type WithoutLog = Pick<ActionResult, 'ephemerals' | 'jobs'>;

/**
 * The one way to change anything: an action says what is to happen, the engine makes it happen. Whatever follows from a
 * change (entries of the log, jobs, ephemeral events) is in the action's result, and nobody wires it by hand.
 */
export interface Engine extends AsyncDisposable {
  db: Database;
  sql: Sql;
  /**
   * Runs an action in one transaction that ends with the append of its events: either both are there, in log order, or
   * neither. After the commit it publishes the entries, enqueues the jobs, publishes the ephemeral events and does what
   * the action left for then. Entries and jobs that are lost on the way are found in Postgres. Whatever the action throws undoes everything.
   *
   * An action that is stale at its place in the log, or met a deadlock, is undone and run again.
   *
   * @throws SERVER_NOT_READY when it was stale too often
   */
  perform<Result extends ActionResult & AfterCommit>(
    realmId: number,
    action: (tx: Tx) => Promise<Result>,
  ): Promise<Performed<Result>>;
  /** Runs statements that no log entry tells of, each standing alone; then publishes what they return. */
  writeWithoutLog<Result extends WithoutLog>(
    realmId: number,
    write: (tx: Tx) => Promise<Result>,
  ): Promise<Result>;
  /** Reads in one snapshot: whatever is read together was true together. */
  snapshot<Result>(read: (tx: Tx) => Promise<Result>): Promise<Result>;
  /**
   * Sends a message. What sending depends on besides the text is remembered, so that most messages take one round trip
   * to Postgres; the rules hold at the message's own place in the log all the same. A retry with the same `echo` has
   * the first try's message for an answer.
   *
   * @throws BAD_REQUEST STREAM_DOES_NOT_EXIST where the sender may not write, or not this text
   * @throws SERVER_NOT_READY when Postgres is away or too many messages wait
   */
  sendMessage(message: MessageToSend): Promise<SentMessage>;
  /** Number of the realm's newest ephemeral event; 0 when Redis is away. */
  newestEphemeral(realmId: number): Promise<number>;
}

export function createEngine(options: EngineOptions): Engine {
  const { redis, clock, logger, partitions } = options;
  const database = { url: options.databaseUrl, name: options.name, max: options.connectionsMax };
  const db = connectDatabase(database);
  const sql = connectSql(database);
  const publisher = redis
    ? createPublisher({ redis, clock, logger, partitions })
    : { publish: () => undefined };
  const ephemerals = redis && createEphemeralPublisher({ sql, redis, logger, partitions });
  const queues = redis && createJobQueues(redis, logger);

  const enqueue = (jobs: readonly Job[] = []) => {
    for (const job of jobs) queues?.enqueue(job);
  };
  const publishEphemerals = async (realmId: number, { ephemerals: published = [] }: WithoutLog) => {
    for (const ephemeral of published) await ephemerals?.publish(realmId, ephemeral);
  };

  async function writeWithoutLog<Result extends WithoutLog>(
    realmId: number,
    write: (tx: Tx) => Promise<Result>,
  ): Promise<Result> {
    const result = await write(db);
    enqueue(result.jobs);
    await publishEphemerals(realmId, result);
    return result;
  }

  async function perform<Result extends ActionResult & AfterCommit>(
    realmId: number,
    action: (tx: Tx) => Promise<Result>,
  ): Promise<Performed<Result>> {
    const committed = await commit({ db, publisher }, realmId, action);
    enqueue([...(committed.jobs ?? []), ...jobsOfMessages(committed)]);
    await publishEphemerals(realmId, committed);
    const { afterCommit } = committed;
    if (afterCommit) await writeWithoutLog(realmId, afterCommit);
    return committed;
  }

  return {
    db,
    sql,
    perform,
    writeWithoutLog,
    snapshot: (read) => db.transaction(read, { isolationLevel: 'repeatable read', accessMode: 'read only' }),
    sendMessage: createMessageSender({ db, perform, enqueue, sender: createSender({ sql, publisher }) }),
    newestEphemeral: async (realmId) => (await ephemerals?.newest(realmId)) ?? 0,
    async [Symbol.asyncDispose]() {
      await Promise.all([db[Symbol.asyncDispose](), sql.end({ timeout: 5 })]);
    },
  };
}

/** The links of a message are looked at after it is sent: its id is known only then. */
function jobsOfMessages({ events, messageIds }: Performed<ActionResult>): Job[] {
  const messages = events.flatMap(({ message }) => (message ? [message] : []));
  return messages.flatMap((message, index) => {
    const id = messageIds[index];
    return message.previewsDue && id !== undefined ? [{ name: 'preview-links', id }] : [];
  });
}
