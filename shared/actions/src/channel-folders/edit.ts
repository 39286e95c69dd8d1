import { type Tx, tables } from '@parley/db';
import { parseChannelFolderName, parseOptional, type Actor, hasId } from '@parley/model';
import * as model from '@parley/model';
import { type ActionResult, to, events, ApiError } from '@parley/protocol';
import { eq, and } from 'drizzle-orm';

import { lockChannelFolder } from './lock.ts';
import { assertFolderNameIsFree, lockFolders, parseFolderDescription } from './names.ts';

export interface FolderEdit {
  id: number;
  name?: string | undefined;
  description?: string | undefined;
  isArchived?: boolean | undefined;
}

/**
 * Changes a channel folder, archives it or brings it back.
 *
 * @throws UNAUTHORIZED_PRINCIPAL for anyone but administrators
 * @throws BAD_REQUEST for a folder that does not exist, a name that is invalid or taken, an invalid description, or an
 * archived folder that active channels are in
 */
export async function edit(
  tx: Tx,
  { actor, id, ...input }: { actor: Actor } & FolderEdit,
): Promise<ActionResult> {
  model.permissions.assertAdministrator(actor);
  const changes = {
    ...input,
    name: parseOptional(input.name, parseChannelFolderName),
    description: parseOptional(input.description, parseFolderDescription),
  };
  const { channelFolders } = tables;
  const folders = await lockFolders(tx, actor);
  const before = await lockChannelFolder(tx, actor.realm.id, id);
  const { name = before.name, description = before.description, isArchived = before.isArchived } = changes;
  // A folder that is brought back needs its name, which another may have by now.
  if (!isArchived && (name !== before.name || before.isArchived)) assertFolderNameIsFree(folders, name, id);
  if (isArchived && !before.isArchived) await assertIsEmpty(tx, actor.realm, id);
  const renderedDescription =
    description === before.description
      ? before.renderedDescription
      : await model.texts.renderText(tx, actor, description);
  const data = {
    ...(name !== before.name && { name }),
    ...(description !== before.description && {
      description,
      rendered_description: renderedDescription,
    }),
    ...(isArchived !== before.isArchived && { is_archived: isArchived }),
  };
  if (Object.keys(data).length === 0) return { events: [] };
  await tx
    .update(channelFolders)
    .set({ name, description, renderedDescription, isArchived })
    .where(hasId(channelFolders, actor.realm, id));
  return {
    events: [to.everyone(events.channelFolder.update({ channel_folder_id: id, data }))],
  };
}
edit.actionName = 'channelFolders.edit' as const;

async function assertIsEmpty(tx: Tx, realm: { id: number }, folderId: number): Promise<void> {
  const { channels } = tables;
  const isInFolder = and(
    eq(channels.realmId, realm.id),
    eq(channels.folderId, folderId),
    eq(channels.isArchived, false),
  );
  const [channel] = await tx.select({ id: channels.id }).from(channels).where(isInFolder).limit(1);
  if (channel) {
    throw new ApiError('BAD_REQUEST', 'Move all channels out of this folder before you archive it.');
  }
}
