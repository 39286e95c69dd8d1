import { type RealmExportRow, type Tx, tables } from '@parley/db';
import { type PendingEvent, type RealmExport, events, to } from '@parley/protocol';
import { and, asc, eq, isNotNull } from 'drizzle-orm';

import type { Realm } from '../actor.ts';
import { exportUrl } from '../files/places.ts';
import { toSeconds } from '../time.ts';
import { listAdministratorIds } from '../users/administrators.ts';

const { realmExports } = tables;

type Home = Pick<Realm, 'id' | 'url'>;

/** Returns the exports that administrators see, oldest first. Those of the server's operator are not among them. */
export async function listShownExports(tx: Tx, realm: Home): Promise<RealmExport[]> {
  const isShown = and(eq(realmExports.realmId, realm.id), isNotNull(realmExports.userId));
  const rows = await tx.select().from(realmExports).where(isShown).orderBy(asc(realmExports.id));
  return rows.map((row) => presentExport(row, realm));
}

function presentExport(row: RealmExportRow, realm: Home): RealmExport {
  const { id, userId, status, endedAt, deletedAt, type } = row;
  if (userId === null) throw new Error(`Export ${id} is the operator's.`);
  return {
    id,
    acting_user_id: userId,
    export_time: toSeconds(row.requestedAt),
    export_url: status === 'succeeded' ? exportUrl(realm, row) : null,
    pending: status === 'requested' || status === 'started',
    failed_timestamp: status === 'failed' && endedAt ? toSeconds(endedAt) : null,
    deleted_timestamp: deletedAt && toSeconds(deletedAt),
    // Safe: those who ask for an export can ask for these types alone.
    export_type: type as RealmExport['export_type'],
  };
}

/** Returns the event after any change of an export, for administrators: all exports. */
export async function exportsEvent(tx: Tx, realm: Home): Promise<PendingEvent> {
  const event = events.realmExport({ exports: await listShownExports(tx, realm) });
  return to.users(await listAdministratorIds(tx, realm.id), event);
}
