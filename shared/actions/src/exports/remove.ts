import { type RealmExportRow, type Tx, tables } from '@parley/db';
import { type Actor, type Realm, hasId } from '@parley/model';
import * as model from '@parley/model';
import { type ActionResult, ApiError } from '@parley/protocol';
import { and, eq } from 'drizzle-orm';

import { immediately, scheduleDeletion } from '../files/index.ts';
import { lockExport } from './lock.ts';

const { realmExportParts, realmExports } = tables;

const refusals: Readonly<Partial<Record<RealmExportRow['status'], string>>> = {
  requested: 'This export is not finished yet.',
  started: 'This export is not finished yet.',
  failed: 'This export failed, so there is nothing to delete.',
  deleted: 'This export has already been deleted.',
};

/**
 * Deletes the archive of an export. Its row stays in the list.
 *
 * @throws UNAUTHORIZED_PRINCIPAL for anyone but administrators
 * @throws BAD_REQUEST for an export that does not exist, or that has no archive
 */
export async function remove(
  tx: Tx,
  { actor, id, now }: { actor: Actor; id: number; now: Date },
): Promise<ActionResult> {
  model.permissions.assertAdministrator(actor);
  const row = await lockExport(tx, actor.realm, id);
  if (!row || row.userId === null) throw new ApiError('BAD_REQUEST', 'This export does not exist.');
  const refusal = refusals[row.status];
  if (refusal !== undefined) throw new ApiError('BAD_REQUEST', refusal);
  return await removeArchive(tx, actor.realm, row, now);
}
remove.actionName = 'exports.remove' as const;

/** Deletes the archive of an export that has been kept long enough. Running it again changes nothing. */
export async function expire(
  tx: Tx,
  { realm, id, now }: { realm: Realm; id: number; now: Date },
): Promise<ActionResult> {
  const row = await lockExport(tx, realm, id);
  const isDue = row?.status === 'succeeded' && row.expiresAt !== null && row.expiresAt <= now;
  return isDue ? await removeArchive(tx, realm, row, now) : { events: [] };
}
expire.actionName = 'exports.expire' as const;

async function removeArchive(
  tx: Tx,
  realm: Realm,
  { id, folder, userId }: RealmExportRow,
  now: Date,
): Promise<ActionResult> {
  await tx
    .update(realmExports)
    .set({ status: 'deleted', deletedAt: now })
    .where(hasId(realmExports, realm, id));
  await tx
    .delete(realmExportParts)
    .where(and(eq(realmExportParts.realmId, realm.id), eq(realmExportParts.exportId, id)));
  await scheduleDeletion(tx, { folder, removeAfter: immediately });
  return { events: userId === null ? [] : [await model.exports.exportsEvent(tx, realm)] };
}
