import { type RealmExportRow, type Tx, tables } from '@parley/db';
import { type Realm, hasId } from '@parley/model';
import * as model from '@parley/model';
import { type ActionResult, exportTimes } from '@parley/protocol';
import { and, eq, sql } from 'drizzle-orm';

import { immediately, scheduleDeletion } from '../files/index.ts';
import { type NoticeWriter, noticeEvents } from '../messages/index.ts';
import { lockExport } from './lock.ts';

const { realmExportParts, realmExports } = tables;

/** How often an export may be taken up without a part being finished, before it has failed. */
const attemptsMax = 10;

/** The right to write an export, until another worker takes it up. */
export interface Lease {
  realmId: number;
  exportId: number;
  number: number;
}

/** What is thrown at a worker whose export another one has taken up, or that was ended. */
export class LeaseLost extends Error {
  constructor({ exportId }: Lease) {
    super(`Export ${exportId} is in other hands.`);
  }
}

const nothing: ActionResult = { events: [] };

/** Administrators are told of what they asked for. */
const tell = async (tx: Tx, realm: Realm, { userId }: RealmExportRow): Promise<ActionResult> =>
  userId === null ? nothing : { events: [await model.exports.exportsEvent(tx, realm)] };

/**
 * Takes up an export for a worker, unless another one holds it or it has ended: `taken` is null then. One that was taken
 * up again and again without success has failed.
 */
export async function takeUp(
  tx: Tx,
  { realm, id, now, until }: { realm: Realm; id: number; now: Date; until: Date },
): Promise<ActionResult & { taken: (RealmExportRow & { of: Lease }) | null }> {
  const row = await lockExport(tx, realm, id);
  const isWaiting = row && (row.status === 'requested' || row.status === 'started');
  if (!isWaiting || (row.leasedUntil && row.leasedUntil > now)) return { ...nothing, taken: null };
  if (row.attempts >= attemptsMax) {
    return { ...(await end(tx, realm, row, 'Something went wrong on the server.', now)), taken: null };
  }
  const of = { realmId: realm.id, exportId: id, number: row.lease + 1 };
  await tx
    .update(realmExports)
    .set({ lease: of.number, leasedUntil: until, status: 'started', attempts: row.attempts + 1 })
    .where(hasId(realmExports, realm, id));
  const told = row.status === 'requested' ? await tell(tx, realm, row) : nothing;
  return { ...told, taken: { ...row, of } };
}
takeUp.actionName = 'exports.takeUp' as const;

const isHeld = (lease: Lease) =>
  and(
    hasId(realmExports, { id: lease.realmId }, lease.exportId),
    eq(realmExports.lease, lease.number),
    eq(realmExports.status, 'started'),
  );

/** Holds an export for longer. Throws unless it is still held. */
export async function renew(tx: Tx, lease: Lease, until: Date): Promise<void> {
  const rows = await tx.update(realmExports).set({ leasedUntil: until }).where(isHeld(lease)).returning();
  if (rows.length === 0) throw new LeaseLost(lease);
}

interface NewPart {
  number: number;
  name: string;
  bytes: number;
  /** What the archive's manifest will say of it. */
  summary: object;
  /** Messages that it contains. */
  messages: number;
  /** What the next part begins with. */
  progress: object;
  /** How many messages all parts will contain, as far as that is known. */
  messagesTotal: number;
  until: Date;
}

/** Records a part that is stored. Throws unless the export is still held: then the part is no part of the archive. */
export async function addPart(
  tx: Tx,
  lease: Lease,
  { number, name, bytes, summary, ...part }: NewPart,
): Promise<void> {
  await tx.transaction(async (inner) => {
    const rows = await inner
      .update(realmExports)
      .set({
        progress: part.progress,
        attempts: 0,
        leasedUntil: part.until,
        messages: sql`${realmExports.messages} + ${part.messages}`,
        messagesTotal: part.messagesTotal,
        bytes: sql`${realmExports.bytes} + ${bytes}`,
      })
      .where(isHeld(lease))
      .returning({ id: realmExports.id });
    if (rows.length === 0) throw new LeaseLost(lease);
    await inner
      .insert(realmExportParts)
      .values({ realmId: lease.realmId, exportId: lease.exportId, number, name, bytes, summary });
  });
}

/**
 * Ends an export whose parts are all there: who asked for it is sent the address of the archive. Throws unless it is
 * still held.
 */
export async function finish(
  tx: Tx,
  { realm, lease, now }: { realm: Realm; lease: Lease; now: Date },
): Promise<ActionResult> {
  const row = await lockExport(tx, realm, lease.exportId);
  if (row?.lease !== lease.number || row.status !== 'started') throw new LeaseLost(lease);
  const expiresAt = new Date(now.getTime() + exportTimes.keptMs);
  await tx
    .update(realmExports)
    .set({ status: 'succeeded', endedAt: now, leasedUntil: null, expiresAt })
    .where(hasId(realmExports, realm, row.id));
  const told = await tell(tx, realm, row);
  if (row.userId === null) return told;
  const write: NoticeWriter = ({ account }) => account.exported(model.files.exportUrl(realm, row));
  return {
    ...told,
    events: [...told.events, ...(await noticeEvents(tx, realm, { users: [row.userId] }, write))],
  };
}
finish.actionName = 'exports.finish' as const;

/** Ends an export that cannot be made. Throws unless it is still held. */
export async function fail(
  tx: Tx,
  { realm, lease, failure, now }: { realm: Realm; lease: Lease; failure: string; now: Date },
): Promise<ActionResult> {
  const row = await lockExport(tx, realm, lease.exportId);
  if (row?.lease !== lease.number || row.status !== 'started') throw new LeaseLost(lease);
  return await end(tx, realm, row, failure, now);
}
fail.actionName = 'exports.fail' as const;

async function end(
  tx: Tx,
  realm: Realm,
  row: RealmExportRow,
  failure: string,
  now: Date,
): Promise<ActionResult> {
  await tx
    .update(realmExports)
    .set({ status: 'failed', endedAt: now, leasedUntil: null, failure })
    .where(hasId(realmExports, realm, row.id));
  await tx
    .delete(realmExportParts)
    .where(and(eq(realmExportParts.realmId, realm.id), eq(realmExportParts.exportId, row.id)));
  await scheduleDeletion(tx, { folder: row.folder, removeAfter: immediately });
  return await tell(tx, realm, row);
}
