import { limits } from '@parley/protocol';

import { tusEndpoint } from '../endpoint/tus.ts';

export const bytesMax = limits.uploadMebibytes * 1024 * 1024;

/** What the server says of itself to whoever asks with OPTIONS. */
export const capabilities = {
  'Tus-Resumable': '1.0.0',
  'Tus-Version': '1.0.0',
  'Tus-Extension': 'creation,creation-with-upload,expiration,termination',
  'Tus-Max-Size': String(bytesMax),
};

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
