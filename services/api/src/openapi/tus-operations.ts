import { z } from 'zod';

import { errorResponses } from './errors.ts';
import { type JsonSchema, describeSent } from './json-schema.ts';
import { envelope } from './operation.ts';

const header = (name: string, description: string, schema: JsonSchema, required = true) => ({
  name,
  in: 'header',
  required,
  description,
  schema,
});
const integer = { type: 'integer', minimum: 0 };
const version = header('Tus-Resumable', 'The version of the protocol.', { const: '1.0.0' });
const offset = header('Upload-Offset', 'Where the piece begins.', integer);
const id = { name: 'id', in: 'path', required: true, schema: { type: 'string' } };
const piece = {
  content: {
    'application/offset+octet-stream': { schema: { contentMediaType: 'application/octet-stream' } },
  },
};
const codes = [
  'BAD_REQUEST',
  'UNAUTHENTICATED_USER',
  'UNAUTHORIZED',
  'NOT_FOUND',
  'RATE_LIMIT_HIT',
  'SERVER_NOT_READY',
] as const;

/** Uploads in pieces, which the protocol tus 1.0 describes, by path. */
export function describeTusOperations(components: Record<string, JsonSchema>): Record<string, JsonSchema> {
  const finished = describeSent(
    z.strictObject({ ...envelope, url: z.string(), filename: z.string() }),
    components,
  );
  const common = { tags: ['tus'], 'x-feature-level': 295, security: [{ apiKey: [] }] };
  const errors = errorResponses(codes);
  const reply = { 'application/json': { schema: finished } };
  return {
    '/tus': {
      post: {
        ...common,
        operationId: 'post_tus',
        summary: 'Announces an upload in pieces, by the protocol tus 1.0.',
        parameters: [
          version,
          header('Upload-Length', 'The length of the file in bytes.', integer),
          header('Upload-Metadata', '`filename` and `filetype`, in Base64 each.', { type: 'string' }, false),
        ],
        requestBody: { required: false, ...piece },
        responses: { '201': { description: 'Its address is in `Location`.', content: reply }, ...errors },
      },
    },
    '/tus/{id}': {
      head: {
        ...common,
        operationId: 'head_tus_by_id',
        summary: 'Asks how much of an upload is there.',
        parameters: [id, version],
        responses: {
          '200': { description: '`Upload-Offset` says it.' },
          '404': { description: 'There is no such upload.' },
        },
      },
      patch: {
        ...common,
        operationId: 'patch_tus_by_id',
        summary: 'Sends a piece of an upload.',
        parameters: [id, version, offset],
        requestBody: { required: true, ...piece },
        responses: {
          '200': { description: 'That was the last piece; the file is at `url`.', content: reply },
          '204': { description: 'More pieces are to come.' },
          ...errors,
        },
      },
      delete: {
        ...common,
        operationId: 'delete_tus_by_id',
        summary: 'Gives an upload up.',
        parameters: [id, version],
        responses: { '204': { description: 'It is gone.' }, ...errors },
      },
    },
  };
}
