import type { FileStore } from '@parley/files';
import * as model from '@parley/model';

import { filePath } from '../manifest.ts';
import { exportedTables } from '../tables/index.ts';
import { selectRows } from '../tables/select.ts';
import { type Scope } from '../tables/table.ts';
import type { PartWriter } from './part.ts';
import type { Snapshot } from './rows.ts';

/** About the most bytes of files in a part. A larger file has a part of its own. */
const fileBytesMax = 64 * 1024 * 1024;
const rowsPerRead = 500;

interface Holder {
  id: number;
  path: string;
}

/** Adds the uploads after an id. Answers how far it came; null after the last. */
export async function addUploads(
  tx: Snapshot,
  store: FileStore,
  part: PartWriter,
  scope: Scope,
  after: number,
): Promise<number | null> {
  const table = exportedTables.find(({ name }) => name === 'attachments');
  if (!table) throw new Error('There is no table of uploads.');
  const rows = await tx.unsafe<Holder[]>(
    `select id, row::jsonb ->> 'path_id' as path from (${selectRows(table, scope, `t.id > ${Number(after)}`)}) read
      order by id limit ${rowsPerRead}`,
  );
  return await addEach(store, part, rows, ({ path }) => [model.files.uploadPlace(path).original]);
}

/** Adds the avatars of accounts after an id. Answers how far it came; null after the last. */
export async function addAvatars(
  tx: Snapshot,
  store: FileStore,
  part: PartWriter,
  { realmId }: Scope,
  after: number,
): Promise<number | null> {
  const rows = await tx<Holder[]>`
    select id, avatar_path as path from users
    where realm_id = ${realmId} and id > ${after} and avatar_path is not null order by id limit ${rowsPerRead}`;
  return await addEach(store, part, rows, ({ path }) => {
    const { variant } = model.files.avatarPlace(path);
    return Object.values(model.users.avatarSizes).map((size) => variant(`${size}.png`));
  });
}

/** Adds the pictures of custom emoji, and those of the organization itself. */
export async function addPictures(
  tx: Snapshot,
  store: FileStore,
  part: PartWriter,
  { realmId }: Scope,
): Promise<void> {
  const emoji = await tx<{ path: string; still: string | null }[]>`
    select path, still_path as still from realm_emoji where realm_id = ${realmId} order by id`;
  for (const { path, still } of emoji) {
    const place = model.files.emojiPlace(realmId, model.files.emojiFolderOf(path));
    await addFile(store, part, place.original);
    if (still !== null) await addFile(store, part, place.variant('still'));
  }
  const [realm] = await tx<Record<string, string | null>[]>`
    select icon_path, logo_path, night_logo_path from realms where id = ${realmId}`;
  for (const path of Object.values(realm ?? {})) {
    if (path !== null) await addFile(store, part, model.files.realmPicturePlace(path).original);
  }
}

async function addEach(
  store: FileStore,
  part: PartWriter,
  rows: readonly Holder[],
  keysOf: (row: Holder) => string[],
): Promise<number | null> {
  for (const row of rows) {
    for (const key of keysOf(row)) await addFile(store, part, key);
    if (part.bytes >= fileBytesMax) return row.id;
  }
  return rows.length < rowsPerRead ? null : (rows.at(-1)?.id ?? null);
}

async function addFile(store: FileStore, part: PartWriter, key: string): Promise<void> {
  const file = await store.open(key);
  if (file) await part.addStream(filePath(key), file.bytes, file.body);
  else part.noteMissingFile();
}
