import { type ArchiveImportRow, type Tx, tables } from '@parley/db';
import { and, asc, desc, eq, getTableColumns, inArray, isNull, lte, or } from 'drizzle-orm';

import type { Realm } from '../actor.ts';
import { type SweptRealms, hasId, isSwept } from '../ids.ts';

const { archiveImportPieces: pieces, archiveImports } = tables;

type Home = Pick<Realm, 'id'>;

/** Returns an import of an organization by its id. */
export async function findImport(tx: Tx, realm: Home, id: number): Promise<ArchiveImportRow | undefined> {
  return (
    await tx
      .select()
      .from(archiveImports)
      .where(hasId(archiveImports, realm, id))
  )[0];
}

/** Returns the import whose archive arrives at this address. */
export async function findImportByUpload(
  tx: Tx,
  realm: Home,
  uploadId: string,
): Promise<ArchiveImportRow | undefined> {
  if (uploadId.includes('\0')) return undefined;
  const isThis = and(eq(archiveImports.realmId, realm.id), eq(archiveImports.uploadId, uploadId));
  return (await tx.select().from(archiveImports).where(isThis))[0];
}

/** An import without what it would bring and has brought, which is much more than the rest of it. */
export type ListedImport = Omit<ArchiveImportRow, 'plan' | 'report'>;

const { plan: _plan, report: _report, ...listed } = getTableColumns(archiveImports);

/** Returns the imports of an organization, newest first. */
export const listImports = (tx: Tx, realm: Home): Promise<ListedImport[]> =>
  tx
    .select(listed)
    .from(archiveImports)
    .where(eq(archiveImports.realmId, realm.id))
    .orderBy(desc(archiveImports.id));

/** Returns the names of the stored pieces of an archive, in their order. */
export async function listImportPieces(tx: Tx, realm: Home, id: number): Promise<string[]> {
  const rows = await tx
    .select({ name: pieces.name })
    .from(pieces)
    .where(and(eq(pieces.realmId, realm.id), eq(pieces.importId, id)))
    .orderBy(asc(pieces.start));
  return rows.map(({ name }) => name);
}

/** An import of any organization. */
export type FoundImport = Pick<ArchiveImportRow, 'realmId' | 'id'>;

const found = { realmId: archiveImports.realmId, id: archiveImports.id };

/** Returns imports that wait for a worker and that none holds. */
export const listDueImports = (
  tx: Tx,
  { now, realmIds }: { now: Date; realmIds: SweptRealms },
  limit: number,
): Promise<FoundImport[]> =>
  tx
    .select(found)
    .from(archiveImports)
    .where(
      and(
        isSwept(archiveImports.realmId, realmIds),
        inArray(archiveImports.status, ['planning', 'importing']),
        or(isNull(archiveImports.leasedUntil), lte(archiveImports.leasedUntil, now)),
      ),
    )
    .limit(limit);

/** Returns imports with which nobody has gone on in time. */
export const listAbandonedImports = (
  tx: Tx,
  { now, realmIds }: { now: Date; realmIds: SweptRealms },
  limit: number,
): Promise<FoundImport[]> =>
  tx
    .select(found)
    .from(archiveImports)
    .where(
      and(
        isSwept(archiveImports.realmId, realmIds),
        inArray(archiveImports.status, ['uploading', 'planned']),
        lte(archiveImports.expiresAt, now),
      ),
    )
    .limit(limit);
