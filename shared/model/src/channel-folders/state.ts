import type { Tx } from '@parley/db';
import type { ChannelFolder } from '@parley/protocol';

import { listChannelFolders } from './find.ts';
import { presentChannelFolder } from './present.ts';

/** Returns `channel_folders` of POST /register: all folders in their order, archived ones included. */
export async function channelFoldersState(tx: Tx, realmId: number): Promise<ChannelFolder[]> {
  return (await listChannelFolders(tx, realmId)).map(presentChannelFolder);
}
