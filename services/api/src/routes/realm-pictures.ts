import * as actions from '@parley/actions';
import { readImage, renderAvatar, renderLogo } from '@parley/files';
import type { Actor } from '@parley/model';
import * as model from '@parley/model';
import { limits } from '@parley/protocol';
import { z } from 'zod';

import type { RequestContext } from '../endpoint/context.ts';
import { endpoint, form } from '../endpoint/endpoint.ts';
import { onlyFile, pictureLimit, refusePicture } from '../files/picture-upload.ts';
import { storeFile } from '../files/store-file.ts';

/** Replaces a picture by the file that came with the request, and answers with its address. */
async function upload(
  context: RequestContext<unknown, Actor>,
  kind: model.realms.RealmPictureKind,
): Promise<string> {
  const { actor, realm, files, perform } = context;
  model.permissions.assertAdministrator(actor);
  const name = kind === 'icon' ? 'icon' : 'logo';
  const file = onlyFile(files.received, `Upload exactly one ${name}.`);
  await readImage(file).catch(refusePicture);
  const [picture] = await (
    kind === 'icon'
      ? renderAvatar(actor.id, file, [limits.iconPixels])
      : renderLogo(actor.id, file, limits.logoPixels).then((logo) => [logo])
  ).catch(refusePicture);
  if (!picture) throw new Error('No picture came back.');
  const path = model.files.newPicturePath(realm.id);
  const place = model.files.realmPicturePlace(path);
  const { row } = await storeFile(
    context,
    place.folder,
    (store) => store.put(place.original, picture, 'image/png'),
    () => perform(actions.realms.changePicture, { actor, kind, path }),
  );
  return model.realms.realmPictureUrl(row, kind);
}

async function remove(
  { actor, perform }: RequestContext<unknown, Actor>,
  kind: model.realms.RealmPictureKind,
): Promise<string> {
  const { row } = await perform(actions.realms.changePicture, { actor, kind, path: null });
  return model.realms.realmPictureUrl(row, kind);
}

const find = async (
  { realm, snapshot }: RequestContext<unknown, Actor>,
  kind: model.realms.RealmPictureKind,
) => ({
  url: model.realms.realmPictureUrl(await snapshot((tx) => model.realms.getRealm(tx, realm.id)), kind),
});

const logoOf = ({ night }: { night: boolean }) => (night ? 'night_logo' : 'logo');
const night = form.json(z.boolean());
const returns = { icon_url: z.string() };

export const realmPictureRoutes = [
  endpoint({
    method: 'GET',
    path: '/realm/icon',
    summary: "Redirects to the organization's icon.",
    since: null,
    errors: [],
    redirects: true,
    params: {},
    returns: { url: z.string() },
    handle: (context) => find(context, 'icon'),
  }),

  endpoint({
    method: 'POST',
    path: '/realm/icon',
    summary: "Replaces the organization's icon with an uploaded picture.",
    since: null,
    errors: ['BAD_IMAGE'],
    requires: ['administrator'],
    upload: pictureLimit,
    params: {},
    returns,
    handle: async (context) => ({ icon_url: await upload(context, 'icon') }),
  }),

  endpoint({
    method: 'DELETE',
    path: '/realm/icon',
    summary: "Removes the organization's icon, so that the default one is shown again.",
    since: null,
    errors: [],
    requires: ['administrator'],
    params: {},
    returns,
    handle: async (context) => ({ icon_url: await remove(context, 'icon') }),
  }),

  endpoint({
    method: 'GET',
    path: '/realm/logo',
    summary: "Redirects to the organization's logo for light or for dark backgrounds.",
    since: null,
    errors: [],
    redirects: true,
    params: { night },
    returns: { url: z.string() },
    handle: (context) => find(context, logoOf(context.params)),
  }),

  endpoint({
    method: 'POST',
    path: '/realm/logo',
    summary: "Replaces one of the organization's logos with an uploaded picture.",
    since: null,
    errors: ['BAD_IMAGE'],
    requires: ['administrator'],
    upload: pictureLimit,
    params: { night },
    returns: {},
    async handle(context) {
      await upload(context, logoOf(context.params));
      return {};
    },
  }),

  endpoint({
    method: 'DELETE',
    path: '/realm/logo',
    summary: "Removes one of the organization's logos, so that the default one is shown again.",
    since: null,
    errors: [],
    requires: ['administrator'],
    params: { night },
    returns: {},
    async handle(context) {
      await remove(context, logoOf(context.params));
      return {};
    },
  }),
];
