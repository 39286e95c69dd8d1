import { type ArchiveImportRow, type Tx, tables } from '@parley/db';
import { type Actor, hasId } from '@parley/model';
import * as model from '@parley/model';
import { type ActionResult, ApiError, ArchivePlan } from '@parley/protocol';

import { end } from './end.ts';
import { isAbandoned, lockImport, noSuchImport } from './lock.ts';

const { archiveImports } = tables;

interface Decision {
  actor: Actor;
  id: number;
  now: Date;
}

async function read(tx: Tx, { actor, id }: Decision): Promise<ArchiveImportRow> {
  model.permissions.assertOwner(actor);
  const row = await lockImport(tx, actor.realm, id);
  if (!row) throw noSuchImport();
  if (row.endedAt) throw new ApiError('BAD_REQUEST', 'This import has ended already.');
  return row;
}

/**
 * Has an archive imported of which the plan is known.
 *
 * @throws UNAUTHORIZED_PRINCIPAL for anyone but owners
 * @throws BAD_REQUEST for an import that does not wait for this
 */
export async function confirm(tx: Tx, decision: Decision): Promise<ActionResult> {
  const row = await read(tx, decision);
  const { realmId, id } = row;
  if (row.status === 'importing') throw new ApiError('BAD_REQUEST', 'This import has begun already.');
  if (row.status !== 'planned') throw new ApiError('BAD_REQUEST', 'This import has no plan yet.');
  if (ArchivePlan.parse(row.plan).is_done) {
    throw new ApiError('BAD_REQUEST', 'This archive has been imported before.');
  }
  await tx
    .update(archiveImports)
    .set({ status: 'importing', leasedUntil: null, attempts: 0, progress: null })
    .where(hasId(archiveImports, { id: realmId }, id));
  return { events: [], jobs: [{ name: 'import-archive', id, realmId }] };
}
confirm.actionName = 'archiveImports.confirm' as const;

/**
 * Gives an import up before it has begun to write, and has its archive deleted.
 *
 * @throws UNAUTHORIZED_PRINCIPAL for anyone but owners
 * @throws BAD_REQUEST for an import that has begun to write, or has ended
 */
export async function cancel(tx: Tx, decision: Decision): Promise<ActionResult> {
  const row = await read(tx, decision);
  if (row.status === 'importing') {
    throw new ApiError('BAD_REQUEST', 'This import has begun, and cannot be cancelled.');
  }
  await end(tx, row, { status: 'cancelled', now: decision.now });
  return { events: [] };
}
cancel.actionName = 'archiveImports.cancel' as const;

/** Gives an import up with which nobody has gone on in time. Running it again changes nothing. */
export async function expire(
  tx: Tx,
  { realm, id, now }: { realm: { id: number }; id: number; now: Date },
): Promise<ActionResult> {
  const row = await lockImport(tx, realm, id);
  if (row && isAbandoned(row, now)) await end(tx, row, { status: 'cancelled', now });
  return { events: [] };
}
expire.actionName = 'archiveImports.expire' as const;
