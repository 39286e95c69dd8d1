import type { IncomingMessage } from 'node:http';

import { ApiError } from '@parley/protocol';

const bodyBytesMax = 64 * 1024;

/** Reads a body of at most 64 KiB. A larger one is refused as soon as it has sent more. */
export async function readBody(req: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of req) {
    const bytes = Buffer.from(chunk);
    length += bytes.length;
    if (length > bodyBytesMax) throw new ApiError('BAD_REQUEST', 'The request body is too large.');
    chunks.push(bytes);
  }
  return Buffer.concat(chunks).toString('utf8');
}
