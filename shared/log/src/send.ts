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
   * Appends the message that `plan` describes, or nothing and resolves with null if that answers null. The plan names the version of the realm's rules that it was made
   * under; if they have changed since, it is made again (`fresh`), so that every rule holds at the message's own
   * place in the log. Refuses with SERVER_NOT_READY when Postgres is away or too many messages wait.
   */
  send(realmId: number, plan: (fresh: boolean) => Promise<PendingEvent | null>): Promise<Sent | null>;
}

interface WaitingMessage {
  draft: PendingEvent;
  resolve(appended: Appended): void;
  reject(error: unknown): void;
}

/**
 * Group commit: one append per realm is under way, and whatever arrives meanwhile joins the next. The realm's head
 * row is locked once per batch, so throughput rises with load where one append per message would queue for it.
 */
export function createSender({ sql, publisher }: { sql: Sql; publisher: Publisher }): Sender {
  const realms = new Map<number, WaitingMessage[]>();

  function append(realmId: number, draft: PendingEvent): Promise<Appended> {
    return new Promise((resolve, reject) => {
      const waiting = realms.get(realmId);
      if (waiting && waiting.length >= waitingMax) return reject(notReady());
      if (waiting) waiting.push({ draft, resolve, reject });
      else {
        realms.set(realmId, [{ draft, resolve, reject }]);
        void drain(realmId);
      }
    });
  }

  /** Runs while the realm has messages waiting. There is one per realm: its entry in the map is the lock. */
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
        batch.map(({ draft }) => draft),
      );
      publisher.publish(realmId, appended);
      const answers = appended.filter(({ outcome }) => outcome !== 'opening');
      for (const [index, { resolve, reject }] of batch.entries()) {
        const one = answers[index];
        if (one) resolve(one);
        else reject(new Error('append_to_log answered fewer rows than it was given events.'));
      }
    } catch (error) {
      const [only, ...others] = batch;
      if (isDatabaseUnavailable(error)) for (const { reject } of batch) reject(notReady());
      else if (others.length === 0) only?.reject(error);
      // One message that cannot be written must not take its batch with it.
      else for (const one of batch) await write(realmId, [one]);
    }
  }

  return {
    async send(realmId, plan) {
      for (let attempt = 0; attempt < plansMax; attempt += 1) {
        const draft = await plan(attempt > 0);
        if (!draft) return null;
        const appended = await append(realmId, draft);
        if (appended.outcome === 'repeated') return { messageId: appended.messageId, isRepeated: true };
        if (appended.outcome === 'written' && appended.messageId !== null) {
          return { messageId: appended.messageId, isRepeated: false };
        }
      }
      throw notReady();
    },
  };
}
