import { randomBytes } from 'node:crypto';

/** A random part of a path that nobody can guess. Avatars have no other protection. */
const unguessable = () => randomBytes(18).toString('base64url');

/** Where a file is in the file store. One folder holds the file and all variants of it, and is deleted as a whole. */
export interface FilePlace {
  folder: string;
  /** The path of the original content. */
  original: string;
  /** The path of a thumbnail or another size of it. */
  readonly variant: (name: string) => string;
}

const placeAt = (folder: string): FilePlace => ({
  folder,
  original: `${folder}/original`,
  variant: (name) => `${folder}/${name}`,
});

/** Creates a new path id of an upload: `{realm}/{random}/{name}`, with which its URL ends. */
export const newUploadPath = (realmId: number, name: string) =>
  `${realmId}/${unguessable()}/${readableName(name)}`;

export const uploadPlace = (pathId: string): FilePlace =>
  placeAt(`uploads/${pathId.slice(0, pathId.lastIndexOf('/'))}`);

/** Returns the folder of the pieces of an upload that has not arrived completely. */
export const partialUploadFolder = (realmId: number, id: string) => `partial/${realmId}/${id}`;

/** Returns the folder of the pieces of an archive that is imported. */
export const importFolder = (realmId: number, uploadId: string) => `imports/${realmId}/${uploadId}`;

/** Creates a new path of an avatar, or of a realm's picture, as the row contains it: `{realm}/{random}`. */
export const newPicturePath = (realmId: number) => `${realmId}/${unguessable()}`;

export const realmPicturePlace = (path: string): FilePlace => placeAt(`realm-pictures/${path}`);

/** A new folder for the pictures of a custom emoji. */
export const newEmojiFolder = unguessable;

export const emojiPlace = (realmId: number, folder: string): FilePlace =>
  placeAt(`emoji/${realmId}/${folder}`);

export const avatarPlace = (path: string): FilePlace => placeAt(`avatars/${path}`);

/** Creates a new folder for the parts of an export's archive: `exports/{realm}/{random}`. */
export const newExportFolder = (realmId: number) => `exports/${realmId}/${unguessable()}`;

/** Returns the address of an export's archive. Whoever has it may read it. */
export const exportUrl = (realm: { url: string }, { folder, id }: { folder: string; id: number }) =>
  `${realm.url}/${folder}/export-${id}.tar.gz`;

const nameLengthMax = 80;

/**
 * A file's name as its URL contains it: letters and digits of any script, and dashes for spaces. Other characters are
 * left out, and so are full stops at its end, where links in texts have none. It is shortened before the extension.
 */
function readableName(name: string): string {
  const plain = name
    .normalize('NFKC')
    .replaceAll(/[^\p{L}\p{N}\s_.-]+/gu, '')
    .trim()
    .replaceAll(/[-\s]+/g, '-')
    .replace(/\.+$/, '');
  const points = [...plain];
  if (points.length <= nameLengthMax) return plain || 'uploaded-file';
  const extension = /\.[A-Za-z0-9]{1,10}$/.exec(plain)?.[0] ?? '';
  return points.slice(0, nameLengthMax - extension.length).join('') + extension;
}
