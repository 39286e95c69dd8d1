import { type RealmExportPartRow, type RealmExportRow, type Tx, tables } from '@parley/db';
import { and, asc, eq, inArray, isNotNull, isNull, lte, or } from 'drizzle-orm';

import { type SweptRealms, hasId, isSwept } from '../ids.ts';

const { realmExportParts: parts, realmExports } = tables;

/** Returns an export of a realm. */
export async function findExport(
  tx: Tx,
  { realmId, id }: { realmId: number; id: number },
): Promise<RealmExportRow | undefined> {
  const isThis = hasId(realmExports, { id: realmId }, id);
  return (await tx.select().from(realmExports).where(isThis))[0];
}

/** Returns the exports that no worker holds and that are not finished, oldest first. */
export async function listDueExports(
  tx: Tx,
  { now, realmIds }: { now: Date; realmIds: SweptRealms },
  limit: number,
): Promise<{ id: number; realmId: number }[]> {
  const isFree = or(isNull(realmExports.leasedUntil), lte(realmExports.leasedUntil, now));
  return await tx
    .select({ id: realmExports.id, realmId: realmExports.realmId })
    .from(realmExports)
    .where(
      and(
        inArray(realmExports.status, ['requested', 'started']),
        isFree,
        isSwept(realmExports.realmId, realmIds),
      ),
    )
    .orderBy(asc(realmExports.id))
    .limit(limit);
}

/** Exports whose archives have been kept long enough. */
export const listExpiredExports = (
  tx: Tx,
  { now, realmIds }: { now: Date; realmIds: SweptRealms },
  limit: number,
): Promise<RealmExportRow[]> =>
  tx
    .select()
    .from(realmExports)
    .where(
      and(
        eq(realmExports.status, 'succeeded'),
        lte(realmExports.expiresAt, now),
        isSwept(realmExports.realmId, realmIds),
      ),
    )
    .limit(limit);

/**
 * Returns the parts of an archive that may be downloaded, in order; undefined unless the folder is that of one. Those
 * of the server's operator are not for download.
 */
export async function findDownload(
  tx: Tx,
  realmId: number,
  folder: string,
  now: Date,
): Promise<{ row: RealmExportRow; parts: RealmExportPartRow[] } | undefined> {
  const isThis = and(
    eq(realmExports.realmId, realmId),
    eq(realmExports.folder, folder),
    isNotNull(realmExports.userId),
  );
  const [row] = await tx.select().from(realmExports).where(isThis);
  const isKept = row?.status === 'succeeded' && (row.expiresAt === null || row.expiresAt > now);
  if (!row || !isKept) return undefined;
  return { row, parts: await listExportParts(tx, row) };
}

/** Returns the parts of an export that are finished, in the order of their numbers. */
export const listExportParts = (
  tx: Tx,
  { id, realmId }: Pick<RealmExportRow, 'id' | 'realmId'>,
): Promise<RealmExportPartRow[]> =>
  tx
    .select()
    .from(parts)
    .where(and(eq(parts.realmId, realmId), eq(parts.exportId, id)))
    .orderBy(asc(parts.number));
