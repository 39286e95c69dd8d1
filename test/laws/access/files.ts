import { insiders } from './callers.ts';
import { type Table, own } from './cases.ts';

/** Uploads and pictures. */
export const files: Table = {
  'POST /user_uploads': [{ of: 'without a file', params: () => ({}), may: [], code: 'BAD_REQUEST' }],
  'GET /user_uploads/:realm_id_str/:random/:filename': [
    {
      of: 'in a private channel',
      params({ upload }) {
        const [realm_id_str, random, filename] = upload.path.split('/');
        return { realm_id_str, random, filename };
      },
      may: insiders,
      code: 'NOT_FOUND',
    },
  ],
  'GET /attachments': own(),
  'DELETE /attachments/:attachment_id': [
    {
      of: 'another’s',
      params: ({ upload }) => ({ attachment_id: upload.id }),
      may: [],
      code: 'BAD_REQUEST',
    },
  ],
  'POST /users/me/avatar': [{ of: 'that is no file', params: () => ({}), may: [], code: 'BAD_REQUEST' }],
  'DELETE /users/me/avatar': own(),
};
