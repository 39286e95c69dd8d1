import { type Tx, tables } from '@parley/db';
import { count, lte, min } from 'drizzle-orm';

const { emailChanges, mails, messages, orphanedFolders } = tables;

/** What workers do later: where it stands when it is due, and for how long it may be due before it counts as late. */
const kinds = {
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
  /** Since when the oldest is due; null when nothing is. */
  oldestAt: Date | null;
}

const countedMax = 1000;

/** The work that is due, by kind. */
export async function listDueWork(tx: Tx, now: Date): Promise<DueWork[]> {
  return await Promise.all(
    Object.entries(kinds).map(async ([kind, { table, dueAt, lateMinutes }]) => {
      const countUntil = async (until: Date) => {
        const due = tx.select({ at: dueAt }).from(table).where(lte(dueAt, until)).limit(countedMax).as('due');
        const [counted] = await tx.select({ count: count() }).from(due);
        return counted?.count ?? 0;
      };
      const [oldest] = await tx
        .select({ at: min(dueAt) })
        .from(table)
        .where(lte(dueAt, now));
      return {
        kind,
        due: await countUntil(now),
        late: await countUntil(new Date(now.getTime() - lateMinutes * 60_000)),
        oldestAt: oldest?.at ?? null,
      };
    }),
  );
}
