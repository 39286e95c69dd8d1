import { insiders } from '../access/callers.ts';
import { type Table, own } from '../access/cases.ts';
import type { Requests } from '../endpoints/fixture.ts';

/** Uploads and pictures. */
export const access: Table = {
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
  'POST /users/me/avatar': [{ of: 'that is not a file', params: () => ({}), may: [], code: 'BAD_REQUEST' }],
  'DELETE /users/me/avatar': own(),
};

export const requests: Requests = {
  'POST /user_uploads': () => ({}),
  'GET /user_uploads/:realm_id_str/:random/:filename'({ upload }) {
    const [realm_id_str = '', random = '', filename = ''] = upload.path_id.split('/');
    return { realm_id_str, random, filename };
  },
  'GET /attachments': () => ({}),
  'DELETE /attachments/:attachment_id': ({ upload }) => ({ attachment_id: String(upload.id) }),
  'POST /users/me/avatar': () => ({}),
  'DELETE /users/me/avatar': () => ({}),
};
