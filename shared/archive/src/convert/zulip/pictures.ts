import * as model from '@parley/model';

import { customEmojiName } from '../emoji.ts';
import type { JsonTables } from '../json-tables.ts';
import type { Directory } from './directory.ts';
import { type Placed, folderOf } from './files.ts';
import { avatarFiles, avatarKey } from './people.ts';
import { countOf, idOf, isTrue, textOf } from './values.ts';

/** Lists of files that an export has, and the files themselves. */
export interface Folders {
  /** The files of an export by their paths. */
  readonly has: (path: string) => boolean;
  readonly records: (folder: string) => Promise<JsonTables | undefined>;
}

export const emptyPlaced = (): Placed => ({ keys: new Map(), pictures: new Set(), originals: new Map() });

function place(placed: Placed, path: string, key: string): void {
  placed.keys.set(path, [...(placed.keys.get(path) ?? []), key]);
}

/** Finds the pictures of accounts. Answers with the paths that they have here, by account. */
export async function placeAvatars(
  { has, records }: Folders,
  { realmId, accounts, tally }: Directory,
  placed: Placed,
): Promise<Map<number, string>> {
  const avatars = new Map<number, string>();
  for (const [user, files] of await avatarFiles(await records('avatars'))) {
    if (!accounts.has(user)) continue;
    const pathOf = (end: string) => {
      const path = `avatars/${files.get(end)}`;
      return has(path) ? path : undefined;
    };
    const [small, medium, original] = [pathOf(''), pathOf('-medium.png'), pathOf('.original')];
    const avatar = `${realmId}/${folderOf(`avatar ${user}`)}`;
    if (small !== undefined && medium !== undefined) {
      place(placed, small, avatarKey(avatar, 'small'));
      place(placed, medium, avatarKey(avatar, 'medium'));
    } else if (original !== undefined) placed.originals.set(original, avatar);
    else {
      tally.change('people', 'avatar_sizes');
      continue;
    }
    avatars.set(user, avatar);
  }
  return avatars;
}

const extensions: Readonly<Record<string, string>> = {
  png: 'png',
  gif: 'gif',
  jpg: 'jpeg',
  jpeg: 'jpeg',
  webp: 'webp',
};

/** Finds the pictures of custom emoji, and returns the rows of those that have one. */
export async function placeEmoji(
  tables: JsonTables,
  { has, records }: Folders,
  { realmId, accounts, tally }: Directory,
  placed: Placed,
): Promise<{ id: number }[]> {
  const paths = new Map<string, string>();
  for await (const { rows } of (await records('emoji'))?.rows('') ?? []) {
    for (const row of rows) {
      const [name, path] = [textOf(row, 'file_name'), `emoji/${textOf(row, 'path')}`];
      if (has(path) && (!paths.has(name) || !path.endsWith('.original'))) paths.set(name, path);
    }
  }
  const emoji: { id: number }[] = [];
  const names = new Set<string>();
  for await (const { rows } of tables.rows('zerver_realmemoji')) {
    for (const row of rows) {
      const [id, file] = [idOf(row, 'id'), textOf(row, 'file_name')];
      const path = paths.get(file);
      const extension = extensions[/\.(\w+)$/.exec(file)?.[1]?.toLowerCase() ?? ''];
      const name = customEmojiName(textOf(row, 'name'));
      const isGone = isTrue(row, 'deactivated');
      const isTaken = name === undefined || (!isGone && names.has(name));
      if (id === undefined || path === undefined || extension === undefined || isTaken) {
        tally.leaveOut('emoji', 'emoji_incomplete');
        continue;
      }
      if (!isGone) names.add(name);
      const folder = folderOf(`emoji ${id}`);
      place(placed, path, model.files.emojiPlace(realmId, folder).original);
      const author = idOf(row, 'author');
      const own = {
        id,
        realm_id: realmId,
        name,
        author_id: author !== undefined && accounts.has(author) ? author : null,
        path: `${folder}.${extension}`,
        still_path: null,
        is_deactivated: isGone,
      };
      emoji.push(own);
    }
  }
  return emoji;
}

/** Finds the pictures of the organization itself, and returns its columns of them. */
export async function placeRealmPictures(
  { has, records }: Folders,
  { realm, realmId }: Directory,
  placed: Placed,
): Promise<Record<string, string | number | null>> {
  const paths = new Map<string, string>();
  for await (const { rows } of (await records('realm_icons'))?.rows('') ?? []) {
    for (const row of rows) {
      const path = `realm_icons/${textOf(row, 'path')}`;
      if (has(path)) paths.set(path.slice(path.lastIndexOf('/') + 1), path);
    }
  }
  const kinds = ['icon', 'logo', 'night_logo'].map((kind) => {
    const path = realm[`${kind}_source`] === 'U' ? paths.get(`${kind}.png`) : undefined;
    const own = path === undefined ? null : `${realmId}/${folderOf(`realm ${kind}`)}`;
    if (path !== undefined && own !== null) place(placed, path, model.files.realmPicturePlace(own).original);
    return { [`${kind}_path`]: own, [`${kind}_version`]: Math.max(1, countOf(realm, `${kind}_version`)) };
  });
  return Object.assign({}, ...kinds) as Record<string, string | number | null>;
}
