import { type Tx, tables } from '@parley/db';

import type { Actor } from '../actor.ts';
import { forgetLoose } from '../files/loose.ts';
import { uploadPlace } from '../files/places.ts';
import { draftAttachment } from './present.ts';
import { addUsage, checkQuota } from './usage.ts';

export type NewAttachment = Pick<
  typeof tables.attachments.$inferInsert,
  'pathId' | 'name' | 'contentType' | 'size' | 'image'
>;

/** Gives a file that is in the store to the actor. */
export async function create(tx: Tx, actor: Actor, file: NewAttachment) {
  const realmId = actor.realm.id;
  await checkQuota(tx, realmId, await addUsage(tx, realmId, file.size));
  const [attachment] = await tx
    .insert(tables.attachments)
    .values({ ...file, realmId, ownerId: actor.id })
    .returning();
  if (!attachment) throw new Error('An insert returned no row.');
  await forgetLoose(tx, [uploadPlace(file.pathId).folder]);
  return { events: [draftAttachment('add', attachment)], keepsRules: true, attachment };
}
