import { type Tx, tables } from '@parley/db';
import { type SQL, and, count, isNull, lte } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';

const { emailChanges, mails, messages, orphanedFolders, reminders, scheduledMessages } = tables;
const { pendingNotifications, webhookDeliveries } = tables;

interface Kind {
  table: PgTable;
  /** The column that says since when something is due. */
  dueAt: PgColumn;
  /** For how long it may be due before it is late. */
  lateMinutes: number;
  /** Which rows still wait; all if undefined. */
  waits?: SQL | undefined;
}

/** What workers do later. */
const kinds: Record<string, Kind> = {
  scheduled_messages: {
    table: scheduledMessages,
    dueAt: scheduledMessages.dueAt,
    lateMinutes: 5,
    waits: and(isNull(scheduledMessages.sentAt), isNull(scheduledMessages.failureMessage)),
  },
  reminders: { table: reminders, dueAt: reminders.dueAt, lateMinutes: 5 },
  // A receiver may be down for long; what comes after waits for what came first.
  webhooks: {
    table: webhookDeliveries,
    dueAt: webhookDeliveries.queuedAt,
    lateMinutes: 24 * 60,
    waits: isNull(webhookDeliveries.failedAt),
  },
  notifications: { table: pendingNotifications, dueAt: pendingNotifications.dueAt, lateMinutes: 5 },
  mails: { table: mails, dueAt: mails.dueAt, lateMinutes: 5 },
  email_confirmations: { table: emailChanges, dueAt: emailChanges.mailDueAt, lateMinutes: 5 },
  link_previews: { table: messages, dueAt: messages.previewsDueAt, lateMinutes: 5 },
  deleted_files: { table: orphanedFolders, dueAt: orphanedFolders.removeAfter, lateMinutes: 60 },
};

export interface DueWork {
  kind: string;
  /** How much is due, and how much of it is late: workers are away, or cannot do it. At most a thousand are counted. */
  due: number;
  late: number;
}

const countedMax = 1000;

/** Returns the work that is due, by kind. */
export async function listDueWork(tx: Tx, now: Date): Promise<DueWork[]> {
  return await Promise.all(
    Object.entries(kinds).map(async ([kind, { table, dueAt, lateMinutes, waits }]) => {
      const isDue = (until: Date) => and(lte(dueAt, until), waits);
      const countUntil = async (until: Date) => {
        const due = tx.select({ at: dueAt }).from(table).where(isDue(until)).limit(countedMax).as('due');
        const [counted] = await tx.select({ count: count() }).from(due);
        return counted?.count ?? 0;
      };
      return {
        kind,
        due: await countUntil(now),
        late: await countUntil(new Date(now.getTime() - lateMinutes * 60_000)),
      };
    }),
  );
}
