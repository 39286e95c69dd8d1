import * as actions from '@parley/actions';
import * as model from '@parley/model';
import { ApiError, Attachment, limits } from '@parley/protocol';
import { z } from 'zod';

import { endpoint, form } from '../endpoint/endpoint.ts';
import { fileTooLarge, storeUpload } from '../files/store-upload.ts';

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
      tooLarge: fileTooLarge,
    },
    params: {},
    returns: { url: z.string(), uri: z.string(), filename: z.string() },
    async handle(context) {
      const [file, another] = context.files.received;
      if (!file) throw new ApiError('BAD_REQUEST', 'Choose a file to upload.');
      if (another) throw new ApiError('BAD_REQUEST', 'Upload one file at a time.');
      const pathId = await storeUpload(context, file);
      const url = `/user_uploads/${pathId}`;
      return { url, uri: url, filename: file.name };
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
        const file = await model.attachments.findAttachment(tx, actor.realm.id, pathId);
        // A missing file and a forbidden one get the same answer.
        if (!file || !(await model.access.mayReadAttachment(tx, actor, file))) {
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
      const own = await snapshot((tx) => model.attachments.listOwnAttachments(tx, actor));
      return { attachments: own.attachments, upload_space_used: own.uploadSpaceUsed };
    },
  }),

  endpoint({
    method: 'DELETE',
    path: '/attachments/:attachment_id',
    summary: 'Deletes a file that the caller has uploaded.',
    since: null,
    errors: [],
    params: { attachment_id: form.bigId() },
    returns: {},
    async handle({ actor, params, perform }) {
      await perform(actions.attachments.remove, { actor, id: params.attachment_id });
      return {};
    },
  }),
];
