import { type Tx, tables } from '@parley/db';
import { and, asc, eq, gt, inArray, isNotNull, isNull, ne } from 'drizzle-orm';

import {
  avatarPlace,
  emojiPlace,
  importFolder,
  partialUploadFolder,
  realmPicturePlace,
  uploadPlace,
} from './places.ts';

const {
  archiveImportPieces,
  archiveImports,
  attachments,
  users,
  realmEmoji,
  realms,
  realmExports,
  realmExportParts,
  partialUploads,
  orphanedFolders,
} = tables;

/** A folder of the file store that rows refer to, or that is to be deleted, and the objects that have to be in it. */
export interface KnownFolder {
  folder: string;
  /** The size of each object by its key; null where no row says it. */
  objects: ReadonlyMap<string, number | null>;
}

const pageRows = 1000;

/** The folders of the file store in which realms have folders of their own. */
export const fileKinds = [
  'uploads',
  'avatars',
  'emoji',
  'realm-pictures',
  'exports',
  'partial',
  'imports',
] as const;

/** Lists the folders of a realm's files, page by page. Each avatar has a picture of each of these sizes. */
export async function* listKnownFolders(
  tx: Tx,
  realmId: number,
  avatarSizes: readonly number[],
): AsyncGenerator<KnownFolder[]> {
  yield* listUploads(tx, realmId);
  yield* listAvatars(tx, realmId, avatarSizes);
  yield await listPictures(tx, realmId);
  yield await listExports(tx, realmId);
  yield await listImports(tx, realmId);
  const partial = await tx
    .select({ id: partialUploads.id })
    .from(partialUploads)
    .where(eq(partialUploads.realmId, realmId));
  yield partial.map(({ id }) => known(partialUploadFolder(realmId, id), []));
}

const known = (folder: string, objects: readonly (readonly [string, number | null])[]): KnownFolder => ({
  folder,
  objects: new Map(objects),
});

async function* listUploads(tx: Tx, realmId: number): AsyncGenerator<KnownFolder[]> {
  for (let after = 0; ;) {
    const rows = await tx
      .select({ id: attachments.id, pathId: attachments.pathId, size: attachments.size })
      .from(attachments)
      .where(and(eq(attachments.realmId, realmId), gt(attachments.id, after)))
      .orderBy(asc(attachments.id))
      .limit(pageRows);
    yield rows.map(({ pathId, size }) => {
      const place = uploadPlace(pathId);
      return known(place.folder, [[place.original, size]]);
    });
    after = rows.at(-1)?.id ?? after;
    if (rows.length < pageRows) return;
  }
}

async function* listAvatars(
  tx: Tx,
  realmId: number,
  sizes: readonly number[],
): AsyncGenerator<KnownFolder[]> {
  for (let after = 0; ;) {
    const rows = await tx
      .select({ id: users.id, path: users.avatarPath })
      .from(users)
      .where(and(eq(users.realmId, realmId), isNotNull(users.avatarPath), gt(users.id, after)))
      .orderBy(asc(users.id))
      .limit(pageRows);
    yield rows.map(({ path }) => {
      const place = avatarPlace(path ?? '');
      return known(
        place.folder,
        sizes.map((size) => [place.variant(`${size}.png`), null]),
      );
    });
    after = rows.at(-1)?.id ?? after;
    if (rows.length < pageRows) return;
  }
}

async function listPictures(tx: Tx, realmId: number): Promise<KnownFolder[]> {
  const [realm] = await tx.select().from(realms).where(eq(realms.id, realmId));
  const emoji = await tx.select().from(realmEmoji).where(eq(realmEmoji.realmId, realmId));
  const pictures = [realm?.iconPath, realm?.logoPath, realm?.nightLogoPath].flatMap((path) =>
    path ? [realmPicturePlace(path)] : [],
  );
  const places = [...pictures, ...emoji.map(({ path }) => emojiPlace(realmId, emojiFolderOf(path)))];
  return places.map(({ folder, original }) => known(folder, [[original, null]]));
}

/** Returns the folder of an emoji in the file store, by the path of its row: `{folder}.png`. */
export const emojiFolderOf = (path: string) => path.replace(/^.*\//, '').replace(/\.\w+$/, '');

async function listExports(tx: Tx, realmId: number): Promise<KnownFolder[]> {
  const rows = await tx
    .select({ id: realmExports.id, folder: realmExports.folder, status: realmExports.status })
    .from(realmExports)
    .where(and(eq(realmExports.realmId, realmId), ne(realmExports.status, 'deleted')));
  // What is left of one that failed is on its way out.
  const ids = rows.filter(({ status }) => status !== 'failed').map(({ id }) => id);
  const parts =
    ids.length === 0
      ? []
      : await tx
          .select()
          .from(realmExportParts)
          .where(and(eq(realmExportParts.realmId, realmId), inArray(realmExportParts.exportId, ids)));
  return rows.map(({ id, folder }) =>
    known(
      folder,
      parts
        .filter(({ exportId }) => exportId === id)
        .map(({ name, bytes }) => [`${folder}/${name}`, bytes] as const),
    ),
  );
}

/** Archives that are imported, or will be. */
async function listImports(tx: Tx, realmId: number): Promise<KnownFolder[]> {
  const rows = await tx
    .select({ uploadId: archiveImports.uploadId, name: archiveImportPieces.name })
    .from(archiveImports)
    .leftJoin(
      archiveImportPieces,
      and(eq(archiveImportPieces.realmId, realmId), eq(archiveImportPieces.importId, archiveImports.id)),
    )
    .where(and(eq(archiveImports.realmId, realmId), isNull(archiveImports.endedAt)));
  const folders = new Map<string, [string, null][]>();
  for (const { uploadId, name } of rows) {
    const folder = importFolder(realmId, uploadId);
    const objects = folders.get(folder) ?? [];
    if (name !== null) objects.push([`${folder}/${name}`, null]);
    folders.set(folder, objects);
  }
  return [...folders].map(([folder, objects]) => known(folder, objects));
}

/** Returns those of the folders that are to be deleted, or may still be filled. */
export async function findScheduledDeletions(tx: Tx, folders: string[]): Promise<Set<string>> {
  if (folders.length === 0) return new Set();
  const rows = await tx
    .select({ folder: orphanedFolders.folder })
    .from(orphanedFolders)
    .where(inArray(orphanedFolders.folder, folders));
  return new Set(rows.map(({ folder }) => folder));
}
