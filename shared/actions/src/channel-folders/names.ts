import type { Tx, ChannelFolderRow } from '@parley/db';
import { parseTextField } from '@parley/model';
import { type Actor, listChannelFolders } from '@parley/model';
import { limits } from '@parley/protocol';
import { ApiError } from '@parley/protocol';

import { lockName } from '../lock.ts';

/** Whoever changes what folders there are, or their order, has to see all of them. */
export async function lockFolders(tx: Tx, actor: Actor): Promise<ChannelFolderRow[]> {
  await lockName(tx, 'list', actor.realm.id, 'channel folders');
  return await listChannelFolders(tx, actor.realm.id);
}

/** Refuses a name that another folder bears, archived ones aside. */
export function assertFolderNameIsFree(folders: ChannelFolderRow[], name: string, except?: number): void {
  const isSame = (folder: ChannelFolderRow) =>
    !folder.isArchived && folder.id !== except && folder.name.toLowerCase() === name.toLowerCase();
  if (folders.some(isSame)) throw new ApiError('BAD_REQUEST', 'Channel folder name already in use');
}

/** A folder's description as it is stored. */
export const parseFolderDescription = (raw: string): string =>
  parseTextField('description', raw, limits.channelFolderDescriptionLength, { mayBeEmpty: true });
