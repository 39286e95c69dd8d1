import { accounts, anybody, insiders } from '../fixtures/callers.ts';
import { type Case, type Table, own } from '../fixtures/cases.ts';
import type { Requests } from '../fixtures/endpoints.ts';

/** A file in a private channel, as its address names it. */
function zebra({ upload }: { upload: { path: string } }) {
  const [realm = '', random = '', name = ''] = upload.path.split('/');
  return { realm, random, name };
}

/** What is not there, or not for whoever asks: files are refused in plain text, by a status alone. */
const notThere = { intruder: '401', deactivated: '401', otherRealm: '404' } as const;

const nothing = (params: Record<string, string>): Case[] => [
  { of: 'that is not there', params: () => params, may: [], code: '404' },
];

/** A step of an upload that is not the caller’s. */
const anothersUpload: Case[] = [
  { of: 'another’s', params: () => ({ id: 'x'.repeat(32) }), may: [], code: 'NOT_FOUND' },
];

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
  'GET /user_uploads/:realm/:random/:name': [
    { of: 'in a private channel', params: zebra, may: insiders, code: '403', codes: notThere },
  ],
  'GET /user_uploads/thumbnail/:realm/:random/:name/:format': [
    {
      of: 'of no picture',
      params: (fixture) => ({ ...zebra(fixture), format: '840x560.webp' }),
      may: [],
      code: '403',
      codes: { ...notThere, insider: '404' },
    },
  ],
  'GET /user_uploads/temporary/:signature/:realm/:random/:name': [
    {
      of: 'with a signature of nobody’s',
      params: (fixture) => ({ ...zebra(fixture), signature: '9.x' }),
      may: [],
      code: '403',
      codes: { otherRealm: '404' },
    },
  ],
  'GET /exports/:realm/:random/:file': nothing({ realm: '1', random: 'x', file: 'export.tar.gz' }),
  'GET /avatar/:user': [
    {
      of: 'of another',
      params: ({ alice }) => ({ user: String(alice.id) }),
      may: accounts,
      code: '401',
      codes: { otherRealm: '404' },
    },
  ],
  'GET /avatar/:user/medium': [
    {
      of: 'of another',
      params: ({ alice }) => ({ user: String(alice.id) }),
      may: accounts,
      code: '401',
      codes: { otherRealm: '404' },
    },
  ],
  'GET /user_avatars/:realm/:file': nothing({ realm: '1', file: 'abcdefghijkl.png' }),
  'GET /user_avatars/:realm/realm/:file': nothing({ realm: '1', file: 'abcdefghijkl.png' }),
  'GET /user_avatars/:realm/emoji/images/still/:file': nothing({ realm: '1', file: 'abcdefghijkl.png' }),
  'GET /user_avatars/:realm/emoji/images/:file': nothing({ realm: '1', file: 'abcdefghijkl.png' }),
  'POST /tus': [{ of: 'one’s own', params: () => ({}), may: anybody }],
  'HEAD /tus/:id': [
    {
      of: 'another’s',
      params: () => ({ id: 'x'.repeat(32) }),
      may: [],
      code: '404',
      codes: { intruder: '401', deactivated: '401', anonymous: '401' },
    },
  ],
  'PATCH /tus/:id': anothersUpload,
  'DELETE /tus/:id': anothersUpload,
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

function pathOf({ upload }: { upload: { path_id: string } }) {
  const [realm = '', random = '', name = ''] = upload.path_id.split('/');
  return { realm, random, name };
}

export const requests: Requests = {
  'POST /user_uploads': () => ({}),
  'GET /user_uploads/:realm_id_str/:random/:filename'({ upload }) {
    const [realm_id_str = '', random = '', filename = ''] = upload.path_id.split('/');
    return { realm_id_str, random, filename };
  },
  'GET /user_uploads/:realm/:random/:name': pathOf,
  'GET /user_uploads/thumbnail/:realm/:random/:name/:format': (fixture) => ({
    ...pathOf(fixture),
    format: '840x560.webp',
  }),
  'GET /user_uploads/temporary/:signature/:realm/:random/:name': (fixture) => ({
    ...pathOf(fixture),
    signature: '9.x',
  }),
  'GET /exports/:realm/:random/:file': () => ({ realm: '1', random: 'x', file: 'export.tar.gz' }),
  'GET /avatar/:user': ({ alice }) => ({ user: String(alice.id) }),
  'GET /avatar/:user/medium': ({ alice }) => ({ user: String(alice.id) }),
  'GET /user_avatars/:realm/:file': () => ({ realm: '1', file: 'abcdefghijkl.png' }),
  'GET /user_avatars/:realm/realm/:file': () => ({ realm: '1', file: 'abcdefghijkl.png' }),
  'GET /user_avatars/:realm/emoji/images/still/:file': () => ({ realm: '1', file: 'abcdefghijkl.png' }),
  'GET /user_avatars/:realm/emoji/images/:file': () => ({ realm: '1', file: 'abcdefghijkl.png' }),
  'POST /tus': () => ({}),
  'HEAD /tus/:id': () => ({ id: 'x'.repeat(32) }),
  'PATCH /tus/:id': () => ({ id: 'x'.repeat(32) }),
  'DELETE /tus/:id': () => ({ id: 'x'.repeat(32) }),
  'GET /attachments': () => ({}),
  'DELETE /attachments/:attachment_id': ({ upload }) => ({ attachment_id: String(upload.id) }),
  'POST /users/me/avatar': () => ({}),
  'DELETE /users/me/avatar': () => ({}),
};
