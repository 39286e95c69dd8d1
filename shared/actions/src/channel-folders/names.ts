import type { Tx, ChannelFolderRow } from '@parley/db';
import { parseTextField, type Actor } from '@parley/model';
import * as model from '@parley/model';
import { limits, ApiError } from '@parley/protocol';

import { lockName } from '../lock.ts';

/** Locks the realm's list of folders, so that changes of folders and of their order take turns, and reads it. */
export async function lockFolders(tx: Tx, actor: Actor): Promise<ChannelFolderRow[]> {
  await lockName(tx, 'list', actor.realm.id, 'channel folders');
  return await model.channelFolders.listChannelFolders(tx, actor.realm.id);
}

/**
 * Refuses a name that another folder has, archived folders aside.
 *
 * @throws BAD_REQUEST when the name is taken
 */
export function assertFolderNameIsFree(folders: ChannelFolderRow[], name: string, except?: number): void {
  const isSame = (folder: ChannelFolderRow) =>
    !folder.isArchived && folder.id !== except && folder.name.toLowerCase() === name.toLowerCase();
  if (folders.some(isSame))
    throw new ApiError('BAD_REQUEST', 'Another channel folder already has this name.');
}

/**
 * Parses a folder's description to the form that is stored.
 *
 * @throws BAD_REQUEST for a description that is too long or has a null byte
 */
export const parseFolderDescription = (raw: string): string =>
  parseTextField('description', raw, limits.channelFolderDescriptionLength, { mayBeEmpty: true });
