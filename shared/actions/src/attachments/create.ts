import { tables, type Tx } from '@parley/db';
import type { Actor } from '@parley/model';
import * as model from '@parley/model';

import { cancelDeletion } from '../files/index.ts';
import { type UploadQuotas, assertWithinQuota, assertWithinUserQuota, addUploadUsage } from './usage.ts';

export type NewAttachment = Pick<
  typeof tables.attachments.$inferInsert,
  'pathId' | 'name' | 'contentType' | 'size' | 'image'
>;

/**
 * Creates the attachment of a file that the actor has uploaded to the file store.
 *
 * @throws REALM_UPLOAD_QUOTA when the uploads of the realm or of the actor would take more than a quota
 */
export async function create(
  tx: Tx,
  { actor, file, quotas }: { actor: Actor; file: NewAttachment; quotas: UploadQuotas },
) {
  const realmId = actor.realm.id;
  await assertWithinQuota(tx, realmId, await addUploadUsage(tx, realmId, file.size), quotas);
  await assertWithinUserQuota(tx, actor, file.size, quotas);
  const [attachment] = await tx
    .insert(tables.attachments)
    .values({ ...file, realmId, ownerId: actor.id })
    .returning();
  if (!attachment) throw new Error('An insert returned no row.');
  await cancelDeletion(tx, [model.files.uploadPlace(file.pathId).folder]);
  return { events: [model.attachments.attachmentEvent('add', attachment)], attachment };
}
create.actionName = 'attachments.create' as const;
