import { randomBytes } from 'node:crypto';

/** Nobody guesses it: who knows the address of an avatar may see it. */
const unguessable = () => randomBytes(18).toString('base64url');

/** Everything that belongs to one file is in one folder of the store, so that it is removed at once. */
export interface FilePlace {
  folder: string;
  /** Of the content itself. */
  original: string;
  /** Of what was made of it: a thumbnail, a size. */
  variant(name: string): string;
}

const placeAt = (folder: string): FilePlace => ({
  folder,
  original: `${folder}/original`,
  variant: (name) => `${folder}/${name}`,
});

/** `{realm}/{random}/{name}`, as the URL of an upload ends. */
export const newUploadPath = (realmId: number, name: string) =>
  `${realmId}/${unguessable()}/${readableName(name)}`;

export const uploadPlace = (pathId: string): FilePlace =>
  placeAt(`uploads/${pathId.slice(0, pathId.lastIndexOf('/'))}`);

/** `{realm}/{random}`, as a user's row names the avatar. */
export const newAvatarPath = (realmId: number) => `${realmId}/${unguessable()}`;

export const avatarPlace = (path: string): FilePlace => placeAt(`avatars/${path}`);

const nameLengthMax = 80;

/** A file's name as it stands in its address: letters and digits of any script, the extension kept. */
export function readableName(name: string): string {
  const plain = name
    .normalize('NFKC')
    .replaceAll(/[^\p{L}\p{M}\p{N}_.-]+/gu, '-')
    .replaceAll(/^[-.]+|[-.]+$/g, '');
  const points = [...plain];
  if (points.length <= nameLengthMax) return plain || 'file';
  const extension = /\.[A-Za-z0-9]{1,10}$/.exec(plain)?.[0] ?? '';
  return points.slice(0, nameLengthMax - extension.length).join('') + extension;
}
