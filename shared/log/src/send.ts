import { type Sql, isDatabaseUnavailable } from '@parley/db';
import { type PendingEvent, notReady } from '@parley/protocol';

import { type Appended, appendMessages } from './append.ts';
import type { Publisher } from './publish.ts';

const batchMax = 64;
const waitingMax = 5000;
const plansMax = 6;

export interface Sent {
  messageId: number;
  /** True when this is the answer to a retry: the message had been sent before. */
  isRepeated: boolean;
}

export interface Sender {
  /**
   * Appends the message that `plan` resolves with; if that is null, appends nothing and resolves with null. The message
   * names the version of the realm's rules that it was planned under. If the rules have changed since, it is planned
   * again with `isFresh` set, so that every rule holds at the message's own place in the log.
   *
   * @throws SERVER_NOT_READY when Postgres is away, too many messages wait, or the rules change again and again
   */
  send(realmId: number, plan: (isFresh: boolean) => Promise<PendingEvent | null>): Promise<Sent | null>;
}

export interface SenderDeps {
  sql: Sql;
  publisher: Publisher;
}

interface WaitingMessage {
  pending: PendingEvent;
  resolve(appended: Appended): void;
  reject(error: unknown): void;
}

/**
 * Sends messages by group commit: one append per realm is under way, and messages that arrive meanwhile join the next.
 * The realm's head row is locked once per batch of up to 64, so throughput rises with load, where one append per message
 * would queue for the lock.
 */
export function createSender({ sql, publisher }: SenderDeps): Sender {
  const realms = new Map<number, WaitingMessage[]>();

  function append(realmId: number, pending: PendingEvent): Promise<Appended> {
    return new Promise((resolve, reject) => {
      const waiting = realms.get(realmId);
      if (waiting && waiting.length >= waitingMax) return reject(notReady());
      if (waiting) waiting.push({ pending, resolve, reject });
      else {
        realms.set(realmId, [{ pending, resolve, reject }]);
        void drain(realmId);
      }
    });
  }

  /** Writes batches while the realm has messages waiting. The realm's entry in the map is the lock: one runs per realm. */
  async function drain(realmId: number): Promise<void> {
    for (;;) {
      const batch = realms.get(realmId)?.splice(0, batchMax) ?? [];
      if (batch.length === 0) break;
      await write(realmId, batch);
    }
    realms.delete(realmId);
  }

  async function write(realmId: number, batch: WaitingMessage[]): Promise<void> {
    try {
      const appended = await appendMessages(
        sql,
        realmId,
        batch.map(({ pending }) => pending),
      );
      publisher.publish(realmId, appended);
      const answers = appended.filter(({ outcome }) => outcome !== 'opening');
      for (const [index, { resolve, reject }] of batch.entries()) {
        const answer = answers[index];
        if (answer) resolve(answer);
        else reject(new Error('append_to_log returned fewer rows than it was given events.'));
      }
    } catch (error) {
      const [only, ...others] = batch;
      if (isDatabaseUnavailable(error)) for (const { reject } of batch) reject(notReady());
      else if (others.length === 0) only?.reject(error);
      // One message that cannot be written must not fail its batch, so each is written alone.
      else for (const message of batch) await write(realmId, [message]);
    }
  }

  return {
    async send(realmId, plan) {
      for (let attempt = 0; attempt < plansMax; attempt += 1) {
        const pending = await plan(attempt > 0);
        if (!pending) return null;
        const appended = await append(realmId, pending);
        if (appended.outcome === 'repeated') return { messageId: appended.messageId, isRepeated: true };
        if (appended.outcome === 'written' && appended.messageId !== null) {
          return { messageId: appended.messageId, isRepeated: false };
        }
      }
      throw notReady();
    },
  };
}
