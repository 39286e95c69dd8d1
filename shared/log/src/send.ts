import { type Sql, isDatabaseUnavailable } from '@parley/db';
import { type PendingEvent, notReady } from '@parley/protocol';
import { currentTracing, histogram, secondsBuckets, traced } from '@parley/telemetry';

import { type Appended, appendMessages } from './append.ts';
import type { Publisher } from './publish.ts';

/** What one append takes, and what may wait for a realm's next ones. */
const batchMax = { messages: 64, length: 2 * 1024 * 1024 };
const waitingMax = { messages: 5000, length: 32 * 1024 * 1024 };

const batchMessages = histogram(
  'parley_log_append_messages',
  'Messages of an append',
  [1, 2, 4, 8, 16, 32, 64],
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
   * since: then it is not appended, and has to be planned again, so that every rule holds at the message's own place in
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
  resolve(appended: Appended): void;
  reject(error: unknown): void;
}

/**
 * Sends messages by group commit: one append per realm is under way, and messages that arrive meanwhile join the next.
 * The realm's head row is locked once per batch of up to 64, so throughput rises with load, where one append per message
 * would queue for the lock.
 */
export function createSender({ sql, publisher }: SenderDeps): Sender {
  const realms = new Map<number, { messages: WaitingMessage[]; length: number }>();

  /** Joins the realm's next append. */
  function join(realmId: number, pending: PendingEvent): Promise<Appended> {
    return new Promise((resolve, reject) => {
      const waiting = realms.get(realmId) ?? { messages: [], length: 0 };
      const isFull = waiting.messages.length >= waitingMax.messages || waiting.length >= waitingMax.length;
      if (isFull) return reject(notReady('appends'));
      const length = lengthOf(pending);
      const trace = currentTracing()?.current();
      waiting.messages.push({ pending, length, trace, resolve, reject });
      waiting.length += length;
      if (realms.has(realmId)) return;
      realms.set(realmId, waiting);
      void drain(realmId);
    });
  }

  /** Writes batches while the realm has messages waiting. The realm's entry in the map is the lock: one runs per realm. */
  async function drain(realmId: number): Promise<void> {
    for (;;) {
      const batch = takeBatch(realmId);
      if (batch.length === 0) break;
      await write(realmId, batch);
    }
    realms.delete(realmId);
  }

  function takeBatch(realmId: number): WaitingMessage[] {
    const waiting = realms.get(realmId);
    if (!waiting) return [];
    let [count, length] = [0, 0];
    for (const message of waiting.messages.slice(0, batchMax.messages)) {
      if (count > 0 && length + message.length > batchMax.length) break;
      count += 1;
      length += message.length;
    }
    waiting.length -= length;
    return waiting.messages.splice(0, count);
  }

  async function write(realmId: number, batch: WaitingMessage[]): Promise<void> {
    batchMessages.observe(batch.length);
    const measure = appendSeconds.startTimer();
    try {
      const appended = await appendMessages(
        sql,
        realmId,
        batch.map(({ pending }) => pending),
      );
      measure();
      const answers = appended.filter(({ outcome }) => outcome !== 'opening');
      for (const [index, { trace }] of batch.entries()) {
        const answer = trace === undefined ? undefined : answers[index];
        if (answer?.outcome === 'written') answer.trace = trace;
      }
      publisher.publish(realmId, appended);
      for (const [index, { resolve, reject }] of batch.entries()) {
        const answer = answers[index];
        if (answer) resolve(answer);
        else reject(new Error('append_to_log returned fewer rows than it was given events.'));
      }
    } catch (error) {
      const [only, ...others] = batch;
      if (isDatabaseUnavailable(error)) for (const { reject } of batch) reject(notReady('database'));
      else if (others.length === 0) only?.reject(error);
      // One message that cannot be written must not fail its batch, so each is written alone.
      else for (const message of batch) await write(realmId, [message]);
    }
  }

  return {
    async append(realmId, message) {
      const appended = await traced('log append', () => join(realmId, message));
      if (appended.outcome === 'repeated') return { messageId: appended.messageId, isRepeated: true };
      if (appended.outcome !== 'written' || appended.messageId === null) return null;
      return { messageId: appended.messageId, isRepeated: false };
    },
  };
}

const lengthOf = ({ message }: PendingEvent) =>
  (message?.content.length ?? 0) + (message?.renderedContent.length ?? 0);
