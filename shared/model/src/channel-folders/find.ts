import { type ChannelFolderRow, tables, type Tx } from '@parley/db';
import { ApiError } from '@parley/protocol';
import { and, eq, asc } from 'drizzle-orm';

import { isId } from '../ids.ts';

const { channelFolders } = tables;

/**
 * Locks a folder of the realm, archived or not.
 *
 * @throws BAD_REQUEST if there is none
 */
export async function lockChannelFolder(tx: Tx, realmId: number, id: number): Promise<ChannelFolderRow> {
  const [folder] = isId(id)
    ? await tx
        .select()
        .from(channelFolders)
        .where(and(eq(channelFolders.id, id), eq(channelFolders.realmId, realmId)))
        // The lock keeps the folder from being archived while a channel is put into it.
        .for('no key update')
    : [];
  if (!folder) throw new ApiError('BAD_REQUEST', 'Invalid channel folder ID');
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
  if (folder.isArchived) throw new ApiError('BAD_REQUEST', 'Invalid channel folder ID');
  return folder;
}

/** All folders of a realm, in the order that administrators gave them. */
export async function listChannelFolders(tx: Tx, realmId: number): Promise<ChannelFolderRow[]> {
  return await tx
    .select()
    .from(channelFolders)
    .where(eq(channelFolders.realmId, realmId))
    .orderBy(asc(channelFolders.position), asc(channelFolders.id));
}
