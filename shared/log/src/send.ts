import { type Sql, isDatabaseUnavailable } from '@parley/db';
import { type PendingEvent, notReady } from '@parley/protocol';

import { type Appended, appendMessages } from './append.ts';
import type { Publisher } from './publish.ts';

const batchMax = 64;
const waitingMax = 5000;

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

  /** Joins the realm's next append. */
  function join(realmId: number, pending: PendingEvent): Promise<Appended> {
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
    async append(realmId, message) {
      const appended = await join(realmId, message);
      if (appended.outcome === 'repeated') return { messageId: appended.messageId, isRepeated: true };
      if (appended.outcome !== 'written' || appended.messageId === null) return null;
      return { messageId: appended.messageId, isRepeated: false };
    },
  };
}
