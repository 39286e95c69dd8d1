import { type Tx, tables } from '@parley/db';
import type { Actor } from '@parley/model';
import * as model from '@parley/model';
import { type ActionResult, events, to } from '@parley/protocol';
import { eq } from 'drizzle-orm';

import { cancelDeletion, immediately, scheduleDeletion } from '../files/index.ts';
import { lockRealm } from '../lock.ts';

/**
 * Sets one of the realm's pictures to one in the file store; null brings back the server's. Returns the realm's new row.
 *
 * @throws UNAUTHORIZED_PRINCIPAL for anyone but administrators
 */
export async function changePicture(
  tx: Tx,
  { actor, kind, path }: { actor: Actor; kind: model.realms.RealmPictureKind; path: string | null },
) {
  model.permissions.assertAdministrator(actor);
  const { path: pathColumn, version } = model.realms.realmPictureColumns[kind];
  const before = await lockRealm(tx, actor.realm.id);
  const previous = before[pathColumn];
  if (path === previous) return { events: [], row: before };
  const [row] = await tx
    .update(tables.realms)
    .set({ [pathColumn]: path, [version]: before[version] + 1 })
    .where(eq(tables.realms.id, actor.realm.id))
    .returning();
  if (!row) throw new Error('An update returned no row.');
  if (path !== null) await cancelDeletion(tx, [model.files.realmPicturePlace(path).folder]);
  if (previous !== null)
    await scheduleDeletion(tx, {
      folder: model.files.realmPicturePlace(previous).folder,
      removeAfter: immediately,
    });
  const data = model.realms.presentRealmPicture(row, kind);
  const result: ActionResult = {
    events: [to.everyone(events.realm.update_dict({ property: kind, data }))],
  };
  return { ...result, row };
}
changePicture.actionName = 'realms.changePicture' as const;
