import { type Tx, tables } from '@parley/db';
import type { Actor } from '@parley/model';
import * as model from '@parley/model';
import { type ActionResult, ApiError, type ImportSource, importLimits } from '@parley/protocol';
import { and, desc, eq, gt, inArray, isNotNull, isNull } from 'drizzle-orm';

import { end } from './end.ts';
import { isAbandoned, lockImports } from './lock.ts';

const { archiveImportPieces, archiveImports } = tables;

const expiryOf = (now: Date) => new Date(now.getTime() + importLimits.keptMs);

export interface NewArchive {
  uploadId: string;
  fileName: string;
  /** The product that it comes from, if the owner says so. */
  source: ImportSource | null;
  bytes: number;
  /** The largest archive that is taken; 0 if none is. */
  bytesMax: number;
  now: Date;
}

/**
 * Announces an archive that will arrive in pieces. An organization imports one at a time.
 *
 * @throws UNAUTHORIZED_PRINCIPAL for anyone but owners
 * @throws BAD_REQUEST for an archive that is too large, and beside another one that has not ended
 */
export async function announce(
  tx: Tx,
  { actor, uploadId, fileName, source, bytes, bytesMax, now }: { actor: Actor } & NewArchive,
): Promise<ActionResult> {
  model.permissions.assertOwner(actor);
  if (bytesMax === 0) {
    throw new ApiError('BAD_REQUEST', 'This server takes no archives. Ask its operators to import yours.');
  }
  if (bytes === 0) throw new ApiError('BAD_REQUEST', 'The archive is empty.');
  const { realm } = actor;
  await lockImports(tx, realm);
  const open = and(eq(archiveImports.realmId, realm.id), isNull(archiveImports.endedAt));
  for (const row of await tx.select().from(archiveImports).where(open)) {
    if (!isAbandoned(row, now)) {
      throw new ApiError('BAD_REQUEST', 'Another archive is being imported. Finish or cancel that first.');
    }
    await end(tx, row, { status: 'cancelled', now });
  }
  await forgetOldest(tx, realm.id);
  const row = { realmId: realm.id, userId: actor.id, uploadId, fileName, source, bytes };
  await tx.insert(archiveImports).values({ ...row, createdAt: now, expiresAt: expiryOf(now) });
  return { events: [] };
}
announce.actionName = 'archiveImports.announce' as const;

async function forgetOldest(tx: Tx, realmId: number): Promise<void> {
  const hasEnded = and(eq(archiveImports.realmId, realmId), isNotNull(archiveImports.endedAt));
  const old = await tx
    .select({ id: archiveImports.id })
    .from(archiveImports)
    .where(hasEnded)
    .orderBy(desc(archiveImports.id))
    .offset(importLimits.remembered - 1);
  if (old.length === 0) return;
  const ids = old.map(({ id }) => id);
  await tx
    .delete(archiveImports)
    .where(and(eq(archiveImports.realmId, realmId), inArray(archiveImports.id, ids)));
}

export interface ArchivePiece {
  uploadId: string;
  /** The place of its first byte in the archive. */
  start: number;
  bytes: number;
  /** What it is stored as. */
  name: string;
  now: Date;
}

/**
 * Records a piece that is stored. With the last one, a worker begins to plan. False if another piece came first, or the
 * archive is not waited for any more.
 *
 * @throws UNAUTHORIZED_PRINCIPAL for anyone but owners
 */
export async function append(
  tx: Tx,
  { actor, piece }: { actor: Actor; piece: ArchivePiece },
): Promise<ActionResult & { isAppended: boolean }> {
  model.permissions.assertOwner(actor);
  const { uploadId, start, bytes, name, now } = piece;
  const realmId = actor.realm.id;
  const received = start + bytes;
  const [row] = await tx
    .update(archiveImports)
    .set({ received, expiresAt: expiryOf(now) })
    .where(
      and(
        eq(archiveImports.realmId, realmId),
        eq(archiveImports.uploadId, uploadId),
        eq(archiveImports.status, 'uploading'),
        eq(archiveImports.received, start),
        gt(archiveImports.expiresAt, now),
      ),
    )
    .returning({ id: archiveImports.id, bytes: archiveImports.bytes });
  if (!row) return { events: [], isAppended: false };
  await tx.insert(archiveImportPieces).values({ realmId, importId: row.id, start, name });
  if (received < row.bytes) return { events: [], isAppended: true };
  await tx
    .update(archiveImports)
    .set({ status: 'planning' })
    .where(and(eq(archiveImports.realmId, realmId), eq(archiveImports.id, row.id)));
  return { events: [], isAppended: true, jobs: [{ name: 'import-archive', id: row.id, realmId }] };
}
append.actionName = 'archiveImports.append' as const;
