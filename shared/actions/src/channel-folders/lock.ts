import { type ChannelFolderRow, tables, type Tx } from '@parley/db';
import { isId, hasId } from '@parley/model';
import { ApiError } from '@parley/protocol';

/**
 * Locks a folder of the realm, archived or not, so that it is not archived while a channel is put into it.
 *
 * @throws BAD_REQUEST if there is none
 */
export async function lockChannelFolder(tx: Tx, realmId: number, id: number): Promise<ChannelFolderRow> {
  const { channelFolders } = tables;
  const [folder] = isId(id)
    ? await tx
        .select()
        .from(channelFolders)
        .where(hasId(channelFolders, { id: realmId }, id))
        .for('no key update')
    : [];
  if (!folder) throw new ApiError('BAD_REQUEST', 'This channel folder does not exist.');
  return folder;
}

/**
 * Locks a folder that channels may be put into.
 *
 * @throws BAD_REQUEST if there is none, or it is archived
 */
export async function lockActiveChannelFolder(
  tx: Tx,
  realmId: number,
  id: number,
): Promise<ChannelFolderRow> {
  const folder = await lockChannelFolder(tx, realmId, id);
  if (folder.isArchived) throw new ApiError('BAD_REQUEST', 'This channel folder does not exist.');
  return folder;
}
