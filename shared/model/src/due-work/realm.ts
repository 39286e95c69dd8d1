import { type Tx, tables } from '@parley/db';
import { and, eq } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';

import { type SweptRealms, isSwept } from '../ids.ts';

const { emailChanges, mails, realmExports } = tables;

const about = { emailChanges, mails, realmExports } satisfies Record<
  string,
  PgTable & { id: PgColumn; realmId: PgColumn }
>;

/** What jobs are about that workers of earlier versions enqueued without its realm. */
export type JobAbout = keyof typeof about;

/** Returns which of the realms has what a job is about; undefined if none of them has it. */
export async function findRealmOfJob(
  tx: Tx,
  kind: JobAbout,
  { id, realmIds }: { id: number; realmIds: SweptRealms },
): Promise<number | undefined> {
  const table: PgTable & { id: PgColumn; realmId: PgColumn } = about[kind];
  const [row] = await tx
    .select({ realmId: table.realmId })
    .from(table)
    .where(and(eq(table.id, id), isSwept(table.realmId, realmIds)));
  return row && Number(row.realmId);
}
