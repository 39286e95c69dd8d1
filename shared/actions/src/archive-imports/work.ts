import { type ArchiveImportRow, type Tx, tables } from '@parley/db';
import { hasId } from '@parley/model';
import {
  type ActionResult,
  type ArchivePlan,
  type ImportProgress,
  type ImportRefusal,
  importLimits,
} from '@parley/protocol';
import { and, eq, inArray } from 'drizzle-orm';

import { end } from './end.ts';
import { lockImport } from './lock.ts';

const { archiveImports } = tables;

/** How often a step of an import may be taken up without ending, before the import has failed. */
const attemptsMax = 10;

/** The right to work on an import, until another worker takes it up. */
export interface ImportLease {
  realmId: number;
  importId: number;
  number: number;
}

/** What is thrown at a worker whose import another one has taken up, or that was ended. */
export class ImportLeaseLost extends Error {
  constructor({ importId }: ImportLease) {
    super(`Import ${importId} is in other hands.`);
  }
}

const working = ['planning', 'importing'] as const;

/**
 * Takes up an import for a worker, unless another one holds it or it waits for nobody: `taken` is null then. One that was
 * taken up again and again without success has failed.
 */
export async function takeUp(
  tx: Tx,
  { realm, id, now, until }: { realm: { id: number }; id: number; now: Date; until: Date },
): Promise<ActionResult & { taken: (ArchiveImportRow & { of: ImportLease }) | null }> {
  const row = await lockImport(tx, realm, id);
  const isWaiting = row && working.some((status) => status === row.status);
  if (!isWaiting || (row.leasedUntil && row.leasedUntil > now)) return { events: [], taken: null };
  if (row.attempts >= attemptsMax) {
    await end(tx, row, { status: 'failed', refusal: { code: 'server_failed', values: {} }, now });
    return { events: [], taken: null };
  }
  const of = { realmId: realm.id, importId: id, number: row.lease + 1 };
  await tx
    .update(archiveImports)
    .set({ lease: of.number, leasedUntil: until, attempts: row.attempts + 1 })
    .where(hasId(archiveImports, realm, id));
  return { events: [], taken: { ...row, of } };
}
takeUp.actionName = 'archiveImports.takeUp' as const;

/** Holds an import for longer, and says how far it is. Throws unless it is still held. */
export async function advance(
  tx: Tx,
  lease: ImportLease,
  { until, progress }: { until: Date; progress: ImportProgress | null },
): Promise<void> {
  const rows = await tx
    .update(archiveImports)
    .set({ leasedUntil: until, ...(progress && { progress }) })
    .where(
      and(
        hasId(archiveImports, { id: lease.realmId }, lease.importId),
        eq(archiveImports.lease, lease.number),
        inArray(archiveImports.status, [...working]),
      ),
    )
    .returning({ id: archiveImports.id });
  if (rows.length === 0) throw new ImportLeaseLost(lease);
}

async function lockHeld(tx: Tx, lease: ImportLease, status?: 'planning' | 'importing') {
  const row = await lockImport(tx, { id: lease.realmId }, lease.importId);
  const isHeld = row?.lease === lease.number && working.some((one) => one === row.status);
  if (!isHeld || (status && row.status !== status)) throw new ImportLeaseLost(lease);
  return row;
}

/** Writes down the plan of an import, which then waits for an owner. Throws unless it is still held. */
export async function finishPlan(
  tx: Tx,
  { lease, plan, now }: { lease: ImportLease; plan: ArchivePlan; now: Date },
): Promise<ActionResult> {
  await lockHeld(tx, lease, 'planning');
  const expiresAt = new Date(now.getTime() + importLimits.keptMs);
  await tx
    .update(archiveImports)
    .set({ status: 'planned', plan, progress: null, leasedUntil: null, expiresAt })
    .where(hasId(archiveImports, { id: lease.realmId }, lease.importId));
  return { events: [] };
}
finishPlan.actionName = 'archiveImports.finishPlan' as const;

/** Ends an import that has brought everything. Throws unless it is still held. */
export async function finish(
  tx: Tx,
  { lease, report, now }: { lease: ImportLease; report: ArchivePlan; now: Date },
): Promise<ActionResult> {
  await end(tx, await lockHeld(tx, lease, 'importing'), { status: 'done', report, now });
  return { events: [] };
}
finish.actionName = 'archiveImports.finish' as const;

/** Ends an import of which the archive cannot be read. Throws unless it is still held. */
export async function fail(
  tx: Tx,
  { lease, refusal, now }: { lease: ImportLease; refusal: ImportRefusal; now: Date },
): Promise<ActionResult> {
  await end(tx, await lockHeld(tx, lease), { status: 'failed', refusal, now });
  return { events: [] };
}
fail.actionName = 'archiveImports.fail' as const;
