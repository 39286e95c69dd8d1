import type { Sql } from '@parley/db';
import type { PendingEvent } from '@parley/protocol';
import { histogram, traced } from '@parley/telemetry';

import { isPlain } from './append-plain.ts';
import { appendMessages, refusalOf } from './append.ts';
import { createGatherer } from './gather.ts';
import type { Publisher } from './publish.ts';

const batchMessages = histogram(
  'parley_log_append_messages',
  'Messages of an append',
  [1, 2, 4, 8, 16, 32, 64],
);

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
  /** The server that holds a realm, where there are several. */
  readonly sqlOf?: (realmId: number) => Promise<Sql>;
  publisher: Publisher;
}

/** Creates what sends messages by group commit, up to 64 of a realm in one append. */
export function createSender({ sql, sqlOf, publisher }: SenderDeps): Sender {
  const gatherer = createGatherer<PendingEvent>(publisher, {
    batchMax: { items: 64, size: 2 * 1024 * 1024 },
    waitingMax: { items: 5000, size: 32 * 1024 * 1024 },
    // The length of its texts, which are most of what is written.
    sizeOf: ({ message }) => (message?.content.length ?? 0) + (message?.renderedContent.length ?? 0),
    formOf: isPlain,
    // Who sends the same again is answered with what came of the first, which is another batch.
    keyOf: ({ message }) =>
      message?.echo ? JSON.stringify([message.senderId, message.echo.queueId, message.echo.localId]) : null,
    async append(realmId, messages) {
      batchMessages.observe(messages.length);
      return await appendMessages(sqlOf ? await sqlOf(realmId) : sql, realmId, messages);
    },
    refusalOf,
  });
  return {
    async append(realmId, message) {
      const appended = await traced('log append', () => gatherer.join(realmId, message));
      if (appended.outcome === 'repeated') return { messageId: appended.messageId, isRepeated: true };
      if (appended.outcome !== 'written' || appended.messageId === null) return null;
      return { messageId: appended.messageId, isRepeated: false };
    },
  };
}
