import type { AttachmentRow } from '@parley/db';
import type { Actor, Realm } from '@parley/model';
import * as model from '@parley/model';
import { ApiError } from '@parley/protocol';

import { type BytesContext, bytesEndpoint } from '../endpoint/bytes.ts';
import { form } from '../endpoint/endpoint.ts';
import { sendText } from '../http/reply.ts';
import { sendArchive } from './send-archive.ts';
import { cachedForEver, sendFile } from './send-file.ts';
import { formatOf } from './thumbnails.ts';

const notFound = () => new ApiError('NOT_FOUND', 'This file does not exist.');
const forbidden = () => sendText(403, 'You do not have access to this file.');

const text = form.text();
const pathParams = { realm: text, random: text, name: text };

interface UploadPath {
  realm: string;
  random: string;
  name: string;
}

type Context<Params> = BytesContext<Params, Realm>;

/** @throws NOT_FOUND for a file that does not exist, or is another organization's */
async function findUpload({ params, realm, snapshot }: Context<UploadPath>): Promise<AttachmentRow> {
  const pathId = [params.realm, params.random, params.name].join('/').normalize('NFKC');
  const file = await snapshot((tx) => model.attachments.findAttachment(tx, realm.id, pathId));
  if (!file) throw notFound();
  return file;
}

const mayRead = ({ reader, snapshot }: Context<unknown>, file: AttachmentRow) =>
  snapshot((tx) => model.access.mayReadAttachment(tx, reader, file));

const send = (
  { c, store }: Context<unknown>,
  { pathId, size, contentType, name }: AttachmentRow,
  cacheControl: string,
) => {
  const key = model.files.uploadPlace(pathId).original;
  return sendFile(c, store, { key, bytes: size, contentType, name }, cacheControl);
};

async function findUser({ snapshot }: Context<unknown>, reader: Actor, idOrEmail: string) {
  if (idOrEmail.includes('\0')) return undefined;
  const user = /^\d+$/.test(idOrEmail) ? Number(idOrEmail) : idOrEmail;
  return await snapshot((tx) => model.users.getUser(tx, reader, user)).catch((error: unknown) => {
    if (!(error instanceof ApiError)) throw error;
  });
}

/** Redirects to the present picture of a user. */
const avatarOf = (size: model.users.AvatarSize) => async (context: Context<{ user: string }>) => {
  const { reader, params } = context;
  if (!reader) return sendText(401, 'You are not logged in.');
  const user = await findUser(context, reader, params.user);
  if (!user) return sendText(404, 'This user does not exist.');
  const headers = { Location: model.users.avatarUrl(user, size), 'Cache-Control': 'private, no-store' };
  return new Response(null, { status: 302, headers });
};

/** The addresses of uploads, exports and the pictures of accounts. */
export const fileEndpoints = [
  bytesEndpoint({
    of: 'realm',
    path: '/user_uploads/temporary/:signature/:realm/:random/:name',
    summary: 'Answers with an upload, to whoever has an address that was signed for it in the last minute.',
    errors: ['NOT_FOUND'],
    params: { signature: text, ...pathParams },
    async handle(context) {
      const file = await findUpload(context);
      const isOpen = context.isOpen(file.pathId, context.params.signature);
      return isOpen ? await send(context, file, 'private, no-store') : forbidden();
    },
  }),

  bytesEndpoint({
    of: 'realm',
    path: '/user_uploads/thumbnail/:realm/:random/:name/:format',
    summary: 'Answers with a small form of an uploaded picture.',
    errors: ['NOT_FOUND'],
    auth: 'optional',
    params: { ...pathParams, format: text },
    async handle(context) {
      const file = await findUpload(context);
      if (!(await mayRead(context, file))) return forbidden();
      const { c, store, params } = context;
      const { image, name } = file;
      const thumbnail = image && (await context.thumbnail(file, formatOf(params.format, image.frames)));
      if (!thumbnail) throw notFound();
      const picture = { ...thumbnail, contentType: 'image/webp', name: `${name}.webp` };
      return await sendFile(c, store, picture, cachedForEver);
    },
  }),

  bytesEndpoint({
    of: 'realm',
    path: '/user_uploads/:realm/:random/:name',
    summary: 'Answers with an upload, to whoever may read a message that links to it.',
    errors: ['NOT_FOUND'],
    auth: 'optional',
    params: pathParams,
    async handle(context) {
      const file = await findUpload(context);
      return (await mayRead(context, file)) ? await send(context, file, cachedForEver) : forbidden();
    },
  }),

  bytesEndpoint({
    of: 'realm',
    path: '/exports/:realm/:random/:file',
    summary: 'Answers with the archive of an export, to whoever knows its address.',
    errors: ['NOT_FOUND'],
    params: { realm: text, random: text, file: text },
    async handle({ c, realm, params, clock, store, snapshot }) {
      if (params.realm !== String(realm.id)) throw notFound();
      const folder = ['exports', realm.id, params.random].join('/');
      const now = new Date(clock.nowMs());
      const found = await snapshot((tx) => model.exports.findDownload(tx, realm.id, folder, now));
      if (!found) throw notFound();
      return await sendArchive(c, store, found);
    },
  }),

  bytesEndpoint({
    of: 'realm',
    path: '/avatar/:user',
    summary: "Redirects to a user's picture.",
    errors: ['NOT_FOUND', 'UNAUTHENTICATED_USER'],
    auth: 'optional',
    params: { user: text },
    handle: avatarOf('small'),
  }),

  bytesEndpoint({
    of: 'realm',
    path: '/avatar/:user/medium',
    summary: "Redirects to a user's picture in its larger form.",
    errors: ['NOT_FOUND', 'UNAUTHENTICATED_USER'],
    auth: 'optional',
    params: { user: text },
    handle: avatarOf('medium'),
  }),
];
