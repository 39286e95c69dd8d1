import { type Tx, type ChannelFolderRow, tables } from '@parley/db';
import { parseChannelFolderName, type Actor, hasId } from '@parley/model';
import * as model from '@parley/model';
import { type ActionResult, events, to } from '@parley/protocol';
import { sql } from 'drizzle-orm';

import { assertFolderNameIsFree, lockFolders, parseFolderDescription } from './names.ts';

/**
 * Creates a channel folder, which comes last in the order.
 *
 * @throws UNAUTHORIZED_PRINCIPAL for anyone but administrators
 * @throws BAD_REQUEST for a name that is invalid or taken, or an invalid description
 */
export async function create(
  tx: Tx,
  { actor, ...input }: { actor: Actor; name: string; description: string },
): Promise<ActionResult & { folder: ChannelFolderRow }> {
  model.permissions.assertAdministrator(actor);
  const name = parseChannelFolderName(input.name);
  const description = parseFolderDescription(input.description);
  const { channelFolders } = tables;
  assertFolderNameIsFree(await lockFolders(tx, actor), name);
  const [created] = await tx
    .insert(channelFolders)
    .values({
      realmId: actor.realm.id,
      name,
      description,
      renderedDescription: await model.texts.renderText(tx, actor, description),
      creatorId: actor.id,
    })
    .returning();
  if (!created) throw new Error('An insert returned no row.');
  const [folder] = await tx
    .update(channelFolders)
    .set({ position: sql`${channelFolders.id}` })
    .where(hasId(channelFolders, actor.realm, created.id))
    .returning();
  if (!folder) throw new Error('An update returned no row.');
  const event = events.channelFolder.add({
    channel_folder: model.channelFolders.presentChannelFolder(folder),
  });
  return { events: [to.everyone(event)], folder };
}
create.actionName = 'channelFolders.create' as const;
