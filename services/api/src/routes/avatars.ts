import * as actions from '@parley/actions';
import { ImageRefused, readImage, renderAvatar } from '@parley/files';
import { newAvatarPath, avatarPlace, avatarSizes, avatarUrl } from '@parley/model';
import { ApiError, limits, notReady } from '@parley/protocol';
import { z } from 'zod';

import { endpoint } from '../endpoint.ts';
import { storeFile } from '../files/store-file.ts';

const { pictureMebibytes } = limits;
const reasons: Record<Exclude<ImageRefused['reason'], 'too-many-waiting'>, string> = {
  'not-an-image': 'Could not decode image; did you upload an image file?',
  'too-many-pixels': 'Image size exceeds limit.',
  broken: 'Image is corrupted or truncated',
};

function refuse(error: unknown): never {
  if (!(error instanceof ImageRefused)) throw error;
  throw error.reason === 'too-many-waiting' ? notReady() : new ApiError('BAD_IMAGE', reasons[error.reason]);
}

const sizes = Object.values(avatarSizes);

export const avatarRoutes = [
  endpoint({
    method: 'POST',
    path: '/users/me/avatar',
    summary: "Replaces the caller's avatar with an uploaded picture.",
    since: null,
    errors: ['BAD_IMAGE'],
    upload: {
      mebibytesMax: pictureMebibytes,
      tooLarge: `Uploaded file is larger than the allowed limit of ${pictureMebibytes} MiB`,
    },
    params: {},
    returns: { avatar_url: z.string() },
    async handle(context) {
      const { actor, realm, files, snapshot, perform } = context;
      const [file, another] = files.received;
      await snapshot((tx) => actions.users.assertMayChangeAvatar(tx, actor));
      if (!file || another) throw new ApiError('BAD_REQUEST', 'You must upload exactly one avatar.');
      await readImage(file.source.file).catch(refuse);
      const pictures = await renderAvatar(file.source.file, sizes).catch(refuse);

      const path = newAvatarPath(realm.id);
      const place = avatarPlace(path);
      const { user } = await storeFile(
        context,
        place.folder,
        async (store) => {
          for (const [index, picture] of pictures.entries()) {
            await store.put(place.variant(`${sizes[index]}.png`), picture, 'image/png');
          }
        },
        () => perform((tx) => actions.users.changeAvatar(tx, actor, path)),
      );
      return { avatar_url: avatarUrl(user) };
    },
  }),

  endpoint({
    method: 'DELETE',
    path: '/users/me/avatar',
    summary: "Removes the caller's avatar, so that the default picture is shown again.",
    since: null,
    errors: [],
    params: {},
    returns: { avatar_url: z.string() },
    async handle({ actor, perform }) {
      const { user } = await perform((tx) => actions.users.changeAvatar(tx, actor, null));
      return { avatar_url: avatarUrl(user) };
    },
  }),
];
