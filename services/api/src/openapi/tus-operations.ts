import { z } from 'zod';

import { errorsOf } from '../endpoint/kinds.ts';
import type { TusEndpoint } from '../endpoint/tus.ts';
import { errorResponses } from './errors.ts';
import { type JsonSchema, describeSent } from './json-schema.ts';
import { envelope, idOf } from './operation.ts';

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

const gone = { '404': { description: 'There is no such upload.' } };

/** What each step sends, and what it is answered when it succeeds; `file` is what is said of a file that is whole. */
const steps: Record<string, (file: JsonSchema) => { sent: JsonSchema; answered: JsonSchema }> = {
  POST: (file) => ({
    sent: {
      parameters: [
        version,
        header('Upload-Length', 'The length of the file in bytes.', integer),
        header('Upload-Metadata', '`filename` and `filetype`, in Base64 each.', { type: 'string' }, false),
      ],
      requestBody: { required: false, ...piece },
    },
    answered: { '201': { description: 'Its address is in `Location`.', content: file } },
  }),
  HEAD: () => ({
    sent: { parameters: [id, version] },
    answered: { '200': { description: '`Upload-Offset` says it.' } },
  }),
  PATCH: (file) => ({
    sent: { parameters: [id, version, offset], requestBody: { required: true, ...piece } },
    answered: {
      '200': { description: 'That was the last piece.', content: file },
      '204': { description: 'More pieces are to come.' },
    },
  }),
  DELETE: () => ({
    sent: { parameters: [id, version] },
    answered: { '204': { description: 'It is gone.' } },
  }),
};

/** Returns a step of an upload as an operation. The protocol tus 1.0 says what is in bodies and headers. */
export function describeUploadStep(
  endpoint: TusEndpoint,
  components: Record<string, JsonSchema>,
): JsonSchema {
  const { method, path, summary, since } = endpoint;
  const arrived = endpoint.of === 'archive' ? { id: z.int() } : { url: z.string(), filename: z.string() };
  const whole = z.strictObject({ ...envelope, ...arrived });
  const file = { 'application/json': { schema: describeSent(whole, components) } };
  const { sent, answered } = steps[method]?.(file) ?? { sent: {}, answered: {} };
  // What HEAD asks for has no body, so that no code is told.
  const refused = method === 'HEAD' ? gone : errorResponses(errorsOf(endpoint));
  return {
    tags: ['tus'],
    ...(since !== null && { 'x-feature-level': since }),
    security: [{ apiKey: [] }],
    operationId: idOf({ method, path }),
    summary,
    ...sent,
    responses: { ...answered, ...refused },
  };
}
