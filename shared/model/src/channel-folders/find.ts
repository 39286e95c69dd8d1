import { type ChannelFolderRow, tables, type Tx } from '@parley/db';
import { eq, asc } from 'drizzle-orm';

const { channelFolders } = tables;

/** Returns all folders of a realm, in the order that administrators gave them. */
export async function listChannelFolders(tx: Tx, realmId: number): Promise<ChannelFolderRow[]> {
  return await tx
    .select()
    .from(channelFolders)
    .where(eq(channelFolders.realmId, realmId))
    .orderBy(asc(channelFolders.position), asc(channelFolders.id));
}
