import type { Tx } from '@parley/db';
import { ApiError } from '@parley/protocol';

import type { Actor } from '../actor.ts';
import { lockName } from '../lock.ts';
import { type FolderRow, listFolders } from './find.ts';

/** Whoever changes what folders there are, or their order, has to see all of them. */
export async function getAllFolders(tx: Tx, actor: Actor): Promise<FolderRow[]> {
  await lockName(tx, 'list', actor.realm.id, 'channel folders');
  return await listFolders(tx, actor.realm.id);
}

/** Refuses a name that another folder bears, archived ones aside. */
export function checkNameIsFree(folders: FolderRow[], name: string, except?: number): void {
  const isSame = (folder: FolderRow) =>
    !folder.isArchived && folder.id !== except && folder.name.toLowerCase() === name.toLowerCase();
  if (folders.some(isSame)) throw new ApiError('BAD_REQUEST', 'Channel folder name already in use');
}
