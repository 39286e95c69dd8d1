import * as actions from '@parley/actions';
import { ImageRefused, imageBytesMax, readImage } from '@parley/files';
import {
  getUploadUsage,
  findAttachment,
  mayReadAttachment,
  listOwnAttachments,
  newUploadPath,
  uploadPlace,
} from '@parley/model';
import { ApiError, Attachment, limits } from '@parley/protocol';
import { z } from 'zod';

import { endpoint, form } from '../endpoint.ts';
import type { ReceivedFile } from '../files/receive.ts';
import { storeFile } from '../files/store-file.ts';

/** The dimensions and type of a picture; null for any other file and for one that can have no thumbnails. */
async function findImage({ source }: ReceivedFile) {
  if (source.bytes > imageBytesMax) return null;
  return await readImage(source.file).catch((error: unknown) => {
    if (error instanceof ImageRefused) return null;
    throw error;
  });
}

const { uploadMebibytes } = limits;

export const uploadRoutes = [
  endpoint({
    method: 'POST',
    path: '/user_uploads',
    summary: 'Uploads one file and answers with the address to link to it.',
    since: null,
    errors: ['REALM_UPLOAD_QUOTA'],
    upload: {
      mebibytesMax: uploadMebibytes,
      tooLarge: `File is larger than this server's configured maximum upload size (${uploadMebibytes} MiB).`,
    },
    params: {},
    returns: { url: z.string(), uri: z.string(), filename: z.string() },
    async handle(context) {
      const { actor, realm, files, snapshot, perform } = context;
      const [file, another] = files.received;
      if (!file) throw new ApiError('BAD_REQUEST', 'You must specify a file to upload');
      if (another) throw new ApiError('BAD_REQUEST', 'You may only upload one file at a time');
      const { name, source } = file;
      await snapshot(async (tx) => {
        const used = await getUploadUsage(tx, realm.id);
        await actions.attachments.assertWithinQuota(tx, realm.id, used + source.bytes, files.quotas);
        await actions.attachments.assertWithinUserQuota(tx, actor.id, source.bytes, files.quotas);
      });
      const image = await findImage(file);
      const contentType = image?.contentType ?? file.contentType;
      const pathId = newUploadPath(realm.id, name);
      const place = uploadPlace(pathId);
      await storeFile(
        context,
        place.folder,
        (store) => store.put(place.original, source, contentType),
        () =>
          perform((tx) =>
            actions.attachments.create(
              tx,
              actor,
              { pathId, name, contentType, size: source.bytes, image },
              files.quotas,
            ),
          ),
      );
      const url = `/user_uploads/${pathId}`;
      return { url, uri: url, filename: name };
    },
  }),

  endpoint({
    method: 'GET',
    path: '/user_uploads/:realm_id_str/:random/:filename',
    summary: 'Answers with an address that opens an uploaded file without credentials for one minute.',
    since: null,
    errors: ['NOT_FOUND'],
    params: { realm_id_str: form.line(500), random: form.line(500), filename: form.line(500) },
    returns: { url: z.string() },
    async handle({ actor, params: { realm_id_str, random, filename }, snapshot, files }) {
      const pathId = [realm_id_str, random, filename].join('/').normalize('NFKC');
      return await snapshot(async (tx) => {
        const file = await findAttachment(tx, pathId);
        // A missing file and a forbidden one get the same answer.
        if (!file || !(await mayReadAttachment(tx, actor, file))) {
          throw new ApiError('NOT_FOUND', 'This file does not exist.');
        }
        return { url: files.temporaryPath(file.pathId) };
      });
    },
  }),

  endpoint({
    method: 'GET',
    path: '/attachments',
    summary: 'Lists the files that the caller has uploaded.',
    since: null,
    errors: [],
    params: {},
    returns: { attachments: z.array(Attachment), upload_space_used: z.int() },
    async handle({ actor, snapshot }) {
      const own = await snapshot((tx) => listOwnAttachments(tx, actor));
      return { attachments: own.attachments, upload_space_used: own.uploadSpaceUsed };
    },
  }),

  endpoint({
    method: 'DELETE',
    path: '/attachments/:attachment_id',
    summary: 'Deletes a file that the caller has uploaded.',
    since: null,
    errors: [],
    params: { attachment_id: form.id() },
    returns: {},
    async handle({ actor, params, perform }) {
      await perform((tx) => actions.attachments.remove(tx, actor, params.attachment_id));
      return {};
    },
  }),
];
