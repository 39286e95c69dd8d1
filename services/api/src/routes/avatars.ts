import * as actions from '@parley/actions';
import { readImage, renderAvatar } from '@parley/files';
import * as model from '@parley/model';
import { z } from 'zod';

import { endpoint } from '../endpoint/endpoint.ts';
import { onlyFile, pictureLimit, refusePicture } from '../files/picture-upload.ts';
import { storeFile } from '../files/store-file.ts';

const sizes = Object.values(model.users.avatarSizes);

export const avatarRoutes = [
  endpoint({
    method: 'POST',
    path: '/users/me/avatar',
    summary: "Replaces the caller's avatar with an uploaded picture.",
    since: null,
    errors: ['BAD_IMAGE'],
    upload: pictureLimit,
    params: {},
    returns: { avatar_url: z.string() },
    async handle(context) {
      const { actor, realm, files, snapshot, perform } = context;
      await snapshot((tx) => actions.users.assertMayChangeAvatar(tx, actor));
      const file = onlyFile(files.received, 'Upload exactly one picture.');
      await readImage(file).catch(refusePicture);
      const pictures = await renderAvatar(actor.id, file, sizes).catch(refusePicture);

      const path = model.files.newPicturePath(realm.id);
      const place = model.files.avatarPlace(path);
      const { user } = await storeFile(
        context,
        place.folder,
        async (store) => {
          for (const [index, picture] of pictures.entries()) {
            await store.put(place.variant(`${sizes[index]}.png`), picture, 'image/png');
          }
        },
        () => perform(actions.users.changeAvatar, { actor, path }),
      );
      return { avatar_url: model.users.avatarUrl(user) };
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
      const { user } = await perform(actions.users.changeAvatar, { actor, path: null });
      return { avatar_url: model.users.avatarUrl(user) };
    },
  }),
];
