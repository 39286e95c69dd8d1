import type { Realm } from '@parley/model';
import * as model from '@parley/model';
import { ApiError } from '@parley/protocol';

import { type BytesContext, bytesEndpoint } from '../endpoint/bytes.ts';
import { form } from '../endpoint/endpoint.ts';
import { sendFile } from './send-file.ts';

const notFound = () => new ApiError('NOT_FOUND', 'This file does not exist.');

const text = form.text();
const common = { of: 'realm', errors: ['NOT_FOUND'], params: { realm: text, file: text } } as const;

interface PicturePath {
  realm: string;
  file: string;
}

/** @throws NOT_FOUND for an address that no picture has */
function readPath({ realm, file }: PicturePath) {
  const [, name, type = ''] = /^([\w-]{10,60})\.(png|gif|webp)$/.exec(file) ?? [];
  if (name === undefined || !/^\d{1,10}$/.test(realm)) throw notFound();
  return { realmId: Number(realm), name, contentType: `image/${type}` };
}

/** Sends a picture that anyone may see who knows its address. */
async function send({ c, store }: BytesContext<unknown, Realm>, key: string, contentType = 'image/png') {
  const file = await store.open(key);
  if (!file) throw notFound();
  file.body.destroy();
  const name = `picture.${contentType.replace('image/', '')}`;
  const picture = { key, bytes: file.bytes, contentType, name };
  return await sendFile(c, store, picture, 'public, max-age=31536000, immutable');
}

/** Pictures that stand for somebody or something. Their addresses cannot be guessed. */
export const pictureEndpoints = [
  bytesEndpoint({
    ...common,
    path: '/user_avatars/:realm/:file',
    summary: 'Answers with the picture of an account.',
    async handle(context) {
      const { realm, file } = context.params;
      const [, random, medium] = /^([\w-]{10,60}?)(-medium)?\.png$/.exec(file) ?? [];
      if (random === undefined || !/^\d{1,10}$/.test(realm)) throw notFound();
      const size = model.users.avatarSizes[medium === undefined ? 'small' : 'medium'];
      return await send(context, model.files.avatarPlace(`${realm}/${random}`).variant(`${size}.png`));
    },
  }),

  bytesEndpoint({
    ...common,
    path: '/user_avatars/:realm/realm/:file',
    summary: 'Answers with the icon or the logo of an organization.',
    async handle(context) {
      const { realmId, name } = readPath(context.params);
      return await send(context, model.files.realmPicturePlace(`${realmId}/${name}`).original);
    },
  }),

  bytesEndpoint({
    ...common,
    path: '/user_avatars/:realm/emoji/images/still/:file',
    summary: "Answers with an organization's emoji that does not move.",
    async handle(context) {
      const { realmId, name } = readPath(context.params);
      return await send(context, model.files.emojiPlace(realmId, name).variant('still'));
    },
  }),

  bytesEndpoint({
    ...common,
    path: '/user_avatars/:realm/emoji/images/:file',
    summary: "Answers with an organization's emoji.",
    async handle(context) {
      const { realmId, name, contentType } = readPath(context.params);
      return await send(context, model.files.emojiPlace(realmId, name).original, contentType);
    },
  }),
];
