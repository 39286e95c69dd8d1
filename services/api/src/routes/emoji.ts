import * as actions from '@parley/actions';
import { readImage, renderEmoji } from '@parley/files';
import * as model from '@parley/model';
import { ApiError, RealmEmoji, limits } from '@parley/protocol';
import { z } from 'zod';

import { endpoint, form } from '../endpoint/endpoint.ts';
import { onlyFile, pictureLimit, refusePicture } from '../files/picture-upload.ts';
import { storeFile } from '../files/store-file.ts';

/**
 * The pictures of an emoji, from a file that an account has sent.
 *
 * @throws BAD_IMAGE for a file that is no picture, and for an animation that stays too large
 */
async function readPictures(accountId: number, file: string) {
  const facts = await readImage(file).catch(refusePicture);
  const pictures = await renderEmoji(accountId, file, facts, limits.emojiPixels).catch(refusePicture);
  if (pictures.still && pictures.content.length > limits.animatedEmojiBytes) {
    throw new ApiError('BAD_IMAGE', 'This image has too many pixels.');
  }
  return pictures;
}

export const emojiRoutes = [
  endpoint({
    method: 'GET',
    path: '/realm/emoji',
    summary: "Lists the organization's custom emoji, including deactivated ones.",
    since: null,
    errors: [],
    params: {},
    returns: { emoji: z.record(z.string(), RealmEmoji) },
    async handle({ realm, snapshot }) {
      return { emoji: await snapshot((tx) => model.emoji.emojiState(tx, realm.id)) };
    },
  }),

  endpoint({
    method: 'POST',
    path: '/realm/emoji/:emoji_name',
    summary: 'Adds a custom emoji with an uploaded picture, which may be animated.',
    since: null,
    errors: ['BAD_IMAGE'],
    requires: ['human'],
    upload: pictureLimit,
    params: { emoji_name: form.text() },
    returns: {},
    async handle(context) {
      const { actor, realm, files, params, snapshot, perform } = context;
      const name = actions.emoji.parseEmojiName(params.emoji_name);
      await snapshot((tx) => actions.emoji.assertMayCreate(tx, actor, name));
      const { content, contentType, still } = await readPictures(
        actor.id,
        onlyFile(files.received, 'Upload exactly one file.'),
      );
      const folder = model.files.newEmojiFolder();
      const place = model.files.emojiPlace(realm.id, folder);
      const path = `${folder}.${contentType.replace('image/', '')}`;
      const stillPath = still && `still/${folder}.png`;
      await storeFile(
        context,
        place.folder,
        async (store) => {
          await store.put(place.original, content, contentType);
          if (still) await store.put(place.variant('still'), still, 'image/png');
        },
        () => perform(actions.emoji.create, { actor, name, folder, path, stillPath }),
      );
      return {};
    },
  }),

  endpoint({
    method: 'DELETE',
    path: '/realm/emoji/:emoji_name',
    summary: 'Deactivates a custom emoji.',
    since: null,
    errors: [],
    params: { emoji_name: form.line(limits.emojiLength) },
    returns: {},
    async handle({ actor, params, perform }) {
      await perform(actions.emoji.deactivate, { actor, name: params.emoji_name });
      return {};
    },
  }),
];
