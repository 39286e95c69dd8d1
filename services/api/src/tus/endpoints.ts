import { limits } from '@parley/protocol';

import { tusEndpoint } from '../endpoint/tus.ts';

export const bytesMax = limits.uploadMebibytes * 1024 * 1024;

/** Returns what the server says of itself to whoever asks with OPTIONS, where files of so many bytes are taken. */
export const capabilitiesOf = (sizeMax: number) => ({
  'Tus-Resumable': '1.0.0',
  'Tus-Version': '1.0.0',
  'Tus-Extension': 'creation,creation-with-upload,expiration,termination',
  'Tus-Max-Size': String(sizeMax),
});

/**
 * Uploads that can be resumed, by the protocol tus 1.0: announced with POST, continued with PATCH, asked after with HEAD
 * and given up with DELETE. The last PATCH answers with the upload's address. The rules are those of POST /user_uploads.
 */
export const tusEndpoints = [
  tusEndpoint({
    method: 'POST',
    path: '/tus',
    summary: 'Announces an upload in pieces, by the protocol tus 1.0.',
    errors: ['REALM_UPLOAD_QUOTA'],
  }),
  tusEndpoint({
    method: 'HEAD',
    path: '/tus/:id',
    summary: 'Asks how much of an upload is there.',
    errors: ['NOT_FOUND'],
  }),
  tusEndpoint({
    method: 'PATCH',
    path: '/tus/:id',
    summary: 'Sends a piece of an upload.',
    errors: ['NOT_FOUND', 'REALM_UPLOAD_QUOTA'],
  }),
  tusEndpoint({
    method: 'DELETE',
    path: '/tus/:id',
    summary: 'Gives an upload up.',
    errors: ['NOT_FOUND'],
  }),
];

const archive = { of: 'archive', since: null, requires: ['owner'] } as const;

/** The same for an archive that owners import: with its last piece, a worker begins to plan. No request serves it again. */
export const archiveEndpoints = [
  tusEndpoint({
    ...archive,
    method: 'POST',
    path: '/realm/import_archives',
    summary: 'Announces an archive that is imported into the organization, by the protocol tus 1.0.',
    errors: [],
  }),
  tusEndpoint({
    ...archive,
    method: 'HEAD',
    path: '/realm/import_archives/:id',
    summary: 'Asks how much of an archive is there.',
    errors: ['NOT_FOUND'],
  }),
  tusEndpoint({
    ...archive,
    method: 'PATCH',
    path: '/realm/import_archives/:id',
    summary: 'Sends a piece of an archive. With the last one, the import is planned.',
    errors: ['NOT_FOUND'],
  }),
  tusEndpoint({
    ...archive,
    method: 'DELETE',
    path: '/realm/import_archives/:id',
    summary: 'Gives an archive up that has not arrived completely.',
    errors: ['NOT_FOUND'],
  }),
];
