import { type Tx, tables } from '@parley/db';
import type { Actor } from '@parley/model';
import * as model from '@parley/model';
import { type ActionResult, ApiError, exportTimes } from '@parley/protocol';
import { and, eq, gt, isNotNull } from 'drizzle-orm';

import { lockExports } from './lock.ts';

const { realmExports } = tables;

/** What a deployment exports at most for administrators: of which size, and how often in a week; null for any. */
export type ExportLimits = { [Name in keyof model.exports.ExportSize | 'perWeek']: number | null };

/**
 * Asks for an export of the realm: what is public, or also what is private of those who consent.
 *
 * @throws UNAUTHORIZED_PRINCIPAL for anyone but administrators
 * @throws BAD_REQUEST after too many exports in a week, or if the organization is too large
 */
export async function request(
  tx: Tx,
  { actor, type, limits, now }: { actor: Actor; type: number; limits: ExportLimits; now: Date },
): Promise<ActionResult & { id: number }> {
  model.permissions.assertAdministrator(actor);
  const { realm } = actor;
  await lockExports(tx, realm);
  const { perWeek, messages, bytes } = limits;
  const since = new Date(now.getTime() - exportTimes.limitMs);
  const isRecent = and(
    eq(realmExports.realmId, realm.id),
    isNotNull(realmExports.userId),
    gt(realmExports.requestedAt, since),
  );
  if (perWeek !== null && (await tx.$count(realmExports, isRecent)) >= perWeek) {
    throw new ApiError('BAD_REQUEST', 'Your organization has started too many exports. Try again later.');
  }
  const size = await model.exports.estimateExport(tx, realm.id);
  if (size.messages > (messages ?? Infinity) || size.bytes > (bytes ?? Infinity)) {
    const msg =
      'This organization is too large to export here. Ask the operators of this server for an export.';
    throw new ApiError('BAD_REQUEST', msg);
  }
  const id = await insert(tx, { realmId: realm.id, userId: actor.id, type, now });
  const jobs = [{ name: 'export-realm', id, realmId: realm.id } as const];
  return { id, events: [await model.exports.exportsEvent(tx, realm)], jobs };
}
request.actionName = 'exports.request' as const;

/** The type of an export that has everything: passwords' hashes and bots' tokens, too. It is for operators alone. */
const exportOfEverything = 3;

/** Asks for an export of everything, for the server's operator: of any size, and unknown to the organization. */
export async function requestEverything(
  tx: Tx,
  { realm, now }: { realm: { id: number }; now: Date },
): Promise<ActionResult & { id: number }> {
  const id = await insert(tx, { realmId: realm.id, userId: null, type: exportOfEverything, now });
  return { id, events: [], jobs: [{ name: 'export-realm', id, realmId: realm.id }] };
}
requestEverything.actionName = 'exports.requestEverything' as const;

async function insert(
  tx: Tx,
  { now, ...row }: { realmId: number; userId: number | null; type: number; now: Date },
): Promise<number> {
  const [inserted] = await tx
    .insert(realmExports)
    .values({ ...row, requestedAt: now, folder: model.files.newExportFolder(row.realmId) })
    .returning({ id: realmExports.id });
  if (!inserted) throw new Error('An insert returned no row.');
  return inserted.id;
}
