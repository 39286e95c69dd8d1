import type { AfterCommit } from '@parley/actions';
import type { Database, Tx } from '@parley/db';
import { type Committed, type EphemeralPublisher, type Publisher, commit } from '@parley/log';
import type { ActionResult, Job } from '@parley/protocol';

/** An action's result, with the ids of the messages among its events, in their order. */
export type Performed<Result> = Committed<Result>;

/** What follows from statements that make no log entry. */
export type WithoutLog = Pick<ActionResult, 'ephemerals' | 'jobs'>;

export interface Performer {
  /**
   * Runs an action in one transaction that ends with the append of its events: either both are there, in log order, or
   * neither. After the commit it publishes the entries, enqueues the jobs, publishes the ephemeral events and runs the
   * action's `afterCommit`, in this order. Entries and jobs that are lost on the way are found in Postgres. Whatever the
   * action throws rolls everything back.
   *
   * An action that is stale at its place in the log, or met a deadlock, is rolled back and run again.
   *
   * @throws SERVER_NOT_READY when it was stale too often
   */
  perform<Result extends ActionResult & AfterCommit>(
    realmId: number,
    action: (tx: Tx) => Promise<Result>,
  ): Promise<Performed<Result>>;
  /** Runs statements that make no log entry, each committed by itself; then publishes and enqueues what they return. */
  writeWithoutLog<Result extends WithoutLog>(
    realmId: number,
    write: (tx: Tx) => Promise<Result>,
  ): Promise<Result>;
}

export interface PerformerDeps {
  db: Database;
  publisher: Publisher;
  /** Null when Redis is not used: then ephemeral events are lost. */
  ephemerals: EphemeralPublisher | null;
  enqueue(jobs: readonly Job[]): void;
}

export function createPerformer({ db, publisher, ephemerals, enqueue }: PerformerDeps): Performer {
  const publishEphemerals = async (realmId: number, { ephemerals: published = [] }: WithoutLog) => {
    for (const ephemeral of published) await ephemerals?.publish(realmId, ephemeral);
  };

  const writeWithoutLog: Performer['writeWithoutLog'] = async (realmId, write) => {
    const result = await write(db);
    enqueue(result.jobs ?? []);
    await publishEphemerals(realmId, result);
    return result;
  };

  return {
    writeWithoutLog,
    async perform(realmId, action) {
      const committed = await commit({ db, publisher }, realmId, action);
      enqueue([...(committed.jobs ?? []), ...jobsOfMessages(committed)]);
      await publishEphemerals(realmId, committed);
      const { afterCommit } = committed;
      if (afterCommit) await writeWithoutLog(realmId, afterCommit);
      return committed;
    },
  };
}

/** Jobs that fetch the links of messages. An action cannot return them, because ids are known only after the append. */
function jobsOfMessages({ events, messageIds }: Performed<ActionResult>): Job[] {
  const messages = events.flatMap(({ message }) => (message ? [message] : []));
  return messages.flatMap((message, index) => {
    const id = messageIds[index];
    return message.previewsDue && id !== undefined ? [{ name: 'preview-links', id }] : [];
  });
}
