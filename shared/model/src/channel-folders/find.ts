import { type ChannelFolderRow, tables, type Tx } from '@parley/db';
import { ApiError } from '@parley/protocol';
import { and, eq, asc } from 'drizzle-orm';

import { isId } from '../ids.ts';

const { channelFolders } = tables;

/** A folder of the realm, archived or not. */
export async function lockChannelFolder(tx: Tx, realmId: number, id: number): Promise<ChannelFolderRow> {
  const [folder] = isId(id)
    ? await tx
        .select()
        .from(channelFolders)
        .where(and(eq(channelFolders.id, id), eq(channelFolders.realmId, realmId)))
        // Held, so that it is not archived while a channel comes into it.
        .for('no key update')
    : [];
  if (!folder) throw new ApiError('BAD_REQUEST', 'Invalid channel folder ID');
  return folder;
}

/** A folder that channels may be put into. */
export async function lockActiveChannelFolder(
  tx: Tx,
  realmId: number,
  id: number,
): Promise<ChannelFolderRow> {
  const folder = await lockChannelFolder(tx, realmId, id);
  if (folder.isArchived) throw new ApiError('BAD_REQUEST', 'Invalid channel folder ID');
  return folder;
}

/** All of a realm's folders in their order. */
export async function listChannelFolders(tx: Tx, realmId: number): Promise<ChannelFolderRow[]> {
  return await tx
    .select()
    .from(channelFolders)
    .where(eq(channelFolders.realmId, realmId))
    .orderBy(asc(channelFolders.position), asc(channelFolders.id));
}
