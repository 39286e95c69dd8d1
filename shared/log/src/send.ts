import { type Sql, isDatabaseUnavailable } from '@parley/db';
import { type PendingEvent, notReady } from '@parley/protocol';
import { currentTracing, histogram, secondsBuckets, tally, traced } from '@parley/telemetry';

import { isPlain } from './append-plain.ts';
import { type Appended, appendMessages, refusalOf } from './append.ts';
import type { Publisher } from './publish.ts';

/** What one append takes, and what may wait for a realm's next ones. */
const batchMax = { messages: 64, length: 2 * 1024 * 1024 };
/** The appends of a realm that may be under way at once, and how many messages have to wait for one more. */
const appendsMax = 2;
const batchAheadMin = 32;
const waitingMax = { messages: 5000, length: 32 * 1024 * 1024 };

const batchMessages = histogram(
  'parley_log_append_messages',
  'Messages of an append',
  [1, 2, 4, 8, 16, 32, 64],
);
const dividedAppends = tally(
  'parley_log_divided_appends_total',
  'Appends that failed, after which each of their messages was written alone',
);
const appendSeconds = histogram('parley_log_append_seconds', 'How long an append took', secondsBuckets);

export interface Sent {
  messageId: number;
  /** True when this is the answer to a retry: the message had been sent before. */
  isRepeated: boolean;
}

export interface Sender {
  /**
   * Appends a message that names the version of the realm's rules it was planned under. Null if the rules have changed
   * since: then it is not appended, and has to be planned again, so that every rule holds at the message's own position in
   * the log.
   *
   * @throws SERVER_NOT_READY when Postgres is away or too many messages wait
   */
  append(realmId: number, message: PendingEvent): Promise<Sent | null>;
}

export interface SenderDeps {
  sql: Sql;
  publisher: Publisher;
}

interface WaitingMessage {
  pending: PendingEvent;
  /** Length of its texts, which are most of what is written. */
  length: number;
  /** The trace that sends it. */
  trace: string | undefined;
  isPlain: boolean;
  /** What its retries have in common with it. */
  echo: string | null;
  readonly resolve: (appended: Appended) => void;
  readonly reject: (error: unknown) => void;
}

/** The messages of a realm that wait, and how many appends of it are under way. */
interface Waiting {
  messages: WaitingMessage[];
  length: number;
  appends: number;
}

/**
 * Sends messages by group commit: an append of a realm is under way, and messages that arrive meanwhile join the next.
 * The realm's head row is locked once per batch of up to 64, so throughput rises with load, where one append per message
 * would queue for the lock. When enough of them wait, the next append is sent before the one under way is answered, so
 * that Postgres and this process work at once.
 */
export const createSender = (deps: SenderDeps): Sender => new BatchSender(deps);

class BatchSender implements Sender {
  private readonly sql: Sql;
  private readonly publisher: Publisher;
  private readonly realms = new Map<number, Waiting>();

  constructor({ sql, publisher }: SenderDeps) {
    this.sql = sql;
    this.publisher = publisher;
  }

  async append(realmId: number, message: PendingEvent): Promise<Sent | null> {
    const appended = await traced('log append', () => this.join(realmId, message));
    if (appended.outcome === 'repeated') return { messageId: appended.messageId, isRepeated: true };
    if (appended.outcome !== 'written' || appended.messageId === null) return null;
    return { messageId: appended.messageId, isRepeated: false };
  }

  /** Joins the realm's next append. */
  private join(realmId: number, pending: PendingEvent): Promise<Appended> {
    return new Promise((resolve, reject) => {
      const waiting = this.realms.get(realmId) ?? { messages: [], length: 0, appends: 0 };
      const isFull = waiting.messages.length >= waitingMax.messages || waiting.length >= waitingMax.length;
      if (isFull) return reject(notReady('appends'));
      const length = lengthOf(pending);
      waiting.messages.push({
        pending,
        length,
        trace: currentTracing()?.current(),
        isPlain: isPlain(pending),
        echo: echoOf(pending),
        resolve,
        reject,
      });
      waiting.length += length;
      this.realms.set(realmId, waiting);
      this.appendNext(realmId, waiting);
    });
  }

  /** Begins an append if none is under way, or one is and as many messages wait as are worth another. */
  private appendNext(realmId: number, waiting: Waiting): void {
    const { appends, messages } = waiting;
    if (messages.length === 0) {
      if (appends === 0) this.realms.delete(realmId);
      return;
    }
    if (appends > 0 && (appends >= appendsMax || messages.length < batchAheadMin)) return;
    waiting.appends += 1;
    void this.write(realmId, takeBatch(waiting)).then(() => {
      waiting.appends -= 1;
      this.appendNext(realmId, waiting);
    });
  }

  private async write(realmId: number, batch: readonly WaitingMessage[]): Promise<void> {
    batchMessages.observe(batch.length);
    const measure = appendSeconds.startTimer();
    try {
      const pending = batch.map((message) => message.pending);
      const appended = await appendMessages(this.sql, realmId, pending);
      measure();
      const answers = appended.filter(({ outcome }) => outcome !== 'opening');
      for (const [index, { trace }] of batch.entries()) {
        const answer = answers[index];
        if (answer?.outcome === 'written') answer.trace = trace;
      }
      this.publisher.publish(realmId, appended);
      for (const [index, { resolve, reject }] of batch.entries()) {
        const answer = answers[index];
        if (answer) resolve(answer);
        else reject(new Error('append_events returned fewer rows than it was given events.'));
      }
    } catch (error) {
      await this.answerFailure(realmId, batch, error);
    }
  }

  private async answerFailure(
    realmId: number,
    batch: readonly WaitingMessage[],
    error: unknown,
  ): Promise<void> {
    const [only, ...others] = batch;
    if (isDatabaseUnavailable(error)) for (const { reject } of batch) reject(notReady('database'));
    else if (others.length === 0) only?.reject(refusalOf(error));
    else {
      // One message that cannot be written must not fail its batch, so each is written alone.
      dividedAppends.count += 1;
      for (const message of batch) await this.write(realmId, [message]);
    }
  }
}

/** Takes what the next append of a realm writes from what waits. */
function takeBatch(waiting: Waiting): WaitingMessage[] {
  let [count, length] = [0, 0];
  const echoes = new Set<string | null>();
  for (const message of waiting.messages.slice(0, batchMax.messages)) {
    const isTooLong = length + message.length > batchMax.length;
    if (count > 0 && (isTooLong || message.isPlain !== waiting.messages[0]?.isPlain)) break;
    // Who sends the same again is answered with what came of the first, which is another batch.
    if (echoes.has(message.echo)) break;
    if (message.echo !== null) echoes.add(message.echo);
    count += 1;
    length += message.length;
  }
  waiting.length -= length;
  return waiting.messages.splice(0, count);
}

const lengthOf = ({ message }: PendingEvent) =>
  (message?.content.length ?? 0) + (message?.renderedContent.length ?? 0);

const echoOf = ({ message }: PendingEvent): string | null =>
  message?.echo ? JSON.stringify([message.senderId, message.echo.queueId, message.echo.localId]) : null;
