import type { Action, AfterCommit } from '@parley/actions';
import type { Database } from '@parley/db';
import {
  type EphemeralPublisher,
  type FlagChanger,
  type Publisher,
  Repeated,
  appendResult,
  beginAction,
  mayRunAgain,
  messageIdsOf,
} from '@parley/log';
import type { Actor } from '@parley/model';
import * as model from '@parley/model';
import { type ActionResult, ApiError, type Job, notReady } from '@parley/protocol';

import { Measured } from './measure.ts';

/** An action's result, with the ids of the messages among its events, in their order. */
export type Performed<Result> = Result & { messageIds: number[] };

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
   * An action that is stale at its position in the log, or that another transaction was in the way of, is rolled back and run again.
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
  /** The server that holds a realm, where there are several. */
  readonly dbOf?: (realmId: number) => Promise<Database>;
  publisher: Publisher;
  /** Null when Redis is not used: then ephemeral events are lost. */
  ephemerals: EphemeralPublisher | null;
  readonly enqueue: (jobs: readonly Job[]) => void;
  /** Makes changes together that allow it. Without it, each is made alone. */
  flagChanger?: FlagChanger;
}

/** How often an action is run while it is stale or another transaction is in its way. */
const runsMax = 8;

/** An action that is asked for. */
interface Asked<Input, Result> {
  realmId: number;
  action: Action<Input, Result>;
  input: Input;
  caller?: Actor | undefined;
}

export const createPerformer = (deps: PerformerDeps): Performer => ({
  perform: (realmId, action, input, caller) => perform(deps, { realmId, action, input, caller }),
  writeWithoutLog: (realmId, action, input) => writeWithoutLog(deps, realmId, action, input),
});

/** Returns the database that holds a realm. */
export const databaseOf = async ({ db, dbOf }: PerformerDeps, realmId: number): Promise<Database> =>
  dbOf ? await dbOf(realmId) : db;

/** Performs an action, measured by its name. */
export async function perform<Input, Result extends ActionResult & AfterCommit>(
  deps: PerformerDeps,
  asked: Asked<Input, Result>,
): Promise<Performed<Result>> {
  const measured = new Measured(asked.action.actionName);
  return await measured.run(() => performMeasured(deps, asked, measured));
}

/** Performs an action as a part of what is measured already. */
export async function performMeasured<Input, Result extends ActionResult & AfterCommit>(
  deps: PerformerDeps,
  asked: Asked<Input, Result>,
  measured: Measured,
): Promise<Performed<Result>> {
  const committed = (await changeWithOthers(deps, asked)) ?? (await commit(deps, asked, measured));
  deps.enqueue(jobsOfMessages(asked.realmId, committed));
  await followUp(deps, asked.realmId, committed);
  if (committed.afterCommit)
    await followUp(deps, asked.realmId, await committed.afterCommit(await databaseOf(deps, asked.realmId)));
  return committed;
}

/** Makes a change together with those of other people; null if it has to be made alone. */
async function changeWithOthers<Input, Result extends ActionResult>(
  deps: PerformerDeps,
  { realmId, action, input, caller }: Asked<Input, Result>,
): Promise<Performed<Result> | null> {
  const { flagChanger } = deps;
  if (!flagChanger || !action.gather) return null;
  const gathered = await action.gather(await databaseOf(deps, realmId), input).catch((error: unknown) => {
    // What is to be refused is refused by the account and the rules of one moment.
    if (error instanceof ApiError) return null;
    throw error;
  });
  if (!gathered) return null;
  const account = caller && model.users.accountOf(caller);
  const changed = await flagChanger.change(realmId, { ...gathered.flags, account });
  return changed && { ...gathered.resultOf(changed), messageIds: [] };
}

/** Runs an action until it is committed, and publishes its entries. From its second run on it runs alone in its realm. */
async function commit<Input, Result extends ActionResult>(
  deps: PerformerDeps,
  { realmId, action, input, caller }: Asked<Input, Result>,
  measured: Measured,
): Promise<Performed<Result>> {
  const { publisher } = deps;
  const db = await databaseOf(deps, realmId);
  for (let run = 1; run <= runsMax; run += 1) {
    try {
      const { result, appended } = await model.texts.withTextsOutside((begun) =>
        db.transaction(async (tx) => {
          begun(tx);
          // They are sent together; Postgres answers them in this order.
          const [rulesVersion] = await Promise.all([
            beginAction(tx, realmId, run > 1),
            caller && model.users.assertActorUnchanged(tx, caller),
          ]);
          const acted = await action(tx, input);
          return { result: acted, appended: await appendResult(tx, realmId, acted, rulesVersion) };
        }),
      );
      publisher.publish(realmId, appended);
      return { ...result, messageIds: messageIdsOf(appended) };
    } catch (error) {
      if (error instanceof Repeated) {
        publisher.publish(realmId, [error.answer]);
        // Safe: this action returned the result.
        return { ...(error.result as Result), messageIds: [error.answer.messageId] };
      }
      if (!mayRunAgain(error)) throw error;
      measured.again();
    }
  }
  throw notReady('conflicts');
}

async function writeWithoutLog<Input, Result extends WithoutLog>(
  deps: PerformerDeps,
  realmId: number,
  action: Action<Input, Result>,
  input: Input,
): Promise<Result> {
  const db = await databaseOf(deps, realmId);
  const result = await new Measured(action.actionName).run(() => action(db, input));
  await followUp(deps, realmId, result);
  return result;
}

/** Enqueues the jobs of a result, then publishes its ephemeral events. */
async function followUp(
  { enqueue, ephemerals }: PerformerDeps,
  realmId: number,
  result: WithoutLog,
): Promise<void> {
  enqueue(result.jobs ?? []);
  for (const ephemeral of result.ephemerals ?? []) await ephemerals?.publish(realmId, ephemeral);
}

/** Jobs that fetch the links of messages. An action cannot return them, because ids are known only after the append. */
function jobsOfMessages(realmId: number, { events, messageIds }: Performed<ActionResult>): Job[] {
  const messages = events.flatMap(({ message }) => (message ? [message] : []));
  return messages.flatMap((message, index) => {
    const id = messageIds[index];
    return message.previewsDue && id !== undefined ? [{ name: 'preview-links', id, realmId }] : [];
  });
}
