import { type RealmExportPartRow, type RealmExportRow, type Tx, tables } from '@parley/db';
import { and, asc, eq, inArray, isNotNull, isNull, lte, or } from 'drizzle-orm';

const { realmExportParts: parts, realmExports } = tables;

/** Returns an export by its id. */
export async function findExport(tx: Tx, id: number): Promise<RealmExportRow | undefined> {
  return (await tx.select().from(realmExports).where(eq(realmExports.id, id)))[0];
}

/** Returns ids of the exports that no worker holds and that are not finished, oldest first. */
export async function listDueExports(tx: Tx, now: Date, limit: number): Promise<number[]> {
  const isFree = or(isNull(realmExports.leasedUntil), lte(realmExports.leasedUntil, now));
  const rows = await tx
    .select({ id: realmExports.id })
    .from(realmExports)
    .where(and(inArray(realmExports.status, ['requested', 'started']), isFree))
    .orderBy(asc(realmExports.id))
    .limit(limit);
  return rows.map(({ id }) => id);
}

/** Exports whose archives have been kept long enough. */
export const listExpiredExports = (tx: Tx, now: Date, limit: number): Promise<RealmExportRow[]> =>
  tx
    .select()
    .from(realmExports)
    .where(and(eq(realmExports.status, 'succeeded'), lte(realmExports.expiresAt, now)))
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
