import type { Tx } from '@parley/db';
import type { ChannelFolder } from '@parley/protocol';

import { listFolders } from './find.ts';
import { presentFolder } from './present.ts';

/** `channel_folders` of POST /register: all of them in their order, archived ones included. */
export async function channelFoldersState(tx: Tx, realmId: number): Promise<ChannelFolder[]> {
  return (await listFolders(tx, realmId)).map(presentFolder);
}
