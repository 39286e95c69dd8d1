import type { Action, AfterCommit } from '@parley/actions';
import type { Database } from '@parley/db';
import { type Committed, type EphemeralPublisher, type Publisher, commit } from '@parley/log';
import type { Actor } from '@parley/model';
import * as model from '@parley/model';
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
   * Where a `caller` is given, the action is refused if that account is no longer as it was read.
   *
   * An action that is stale at its place in the log, or met a deadlock, is rolled back and run again.
   *
   * @throws SERVER_NOT_READY when it was stale too often
   * @throws {ActorChanged} when the account of the caller has changed
   */
  perform<Input, Result extends ActionResult & AfterCommit>(
    realmId: number,
    action: Action<Input, Result>,
    input: NoInfer<Input>,
    caller?: Actor,
  ): Promise<Performed<Result>>;
  /** Runs statements that make no log entry, each committed by itself; then publishes and enqueues what they return. */
  writeWithoutLog<Input, Result extends WithoutLog>(
    realmId: number,
    action: Action<Input, Result>,
    input: NoInfer<Input>,
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

  const follow = async (realmId: number, result: WithoutLog) => {
    enqueue(result.jobs ?? []);
    await publishEphemerals(realmId, result);
  };

  return {
    async writeWithoutLog(realmId, action, input) {
      const result = await action(db, input);
      await follow(realmId, result);
      return result;
    },
    async perform(realmId, action, input, caller) {
      const committed = await commit({ db, publisher }, realmId, async (tx) => {
        if (caller) await model.users.assertActorUnchanged(tx, caller);
        return await action(tx, input);
      });
      enqueue([...(committed.jobs ?? []), ...jobsOfMessages(committed)]);
      await publishEphemerals(realmId, committed);
      const { afterCommit } = committed;
      if (afterCommit) await follow(realmId, await afterCommit(db));
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
