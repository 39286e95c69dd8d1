import type { HttpBindings } from '@hono/node-server';
import { takeBreak } from '@parley/kit';
import type { Context } from 'hono';

import { acceptedEncodings } from './accepted-encodings.ts';
import { gzipOf, stored } from './gzip.ts';
import type { JsonText } from './json-text.ts';
import type { ReplyBudget } from './reply-budget.ts';

/**
 * Returns a reply whose body is given in pieces. None is copied, and what they share is sent from the same memory to
 * everybody. Whoever takes gzip gets the shared parts as they were compressed once; what is the caller's own is not
 * compressed, so that no length tells of secrets.
 */
export async function replyInPieces(
  c: Context,
  pieces: readonly (Buffer | JsonText)[],
  headers: Record<string, string>,
  replyBudget: ReplyBudget,
): Promise<Response> {
  const isGzip = acceptedEncodings(c.req.header('accept-encoding') ?? '').has('gzip');
  const parts = isGzip ? await Promise.all(pieces.map(deflatedOf)) : [];
  await takeBreak();
  const buffers = isGzip
    ? gzipOf(parts.flat())
    : pieces.flatMap((piece) => (Buffer.isBuffer(piece) ? [piece] : piece.plain));
  await takeBreak();
  const { outgoing } = (c.env ?? {}) as Partial<HttpBindings>;
  return new Response(
    replyBudget.send(buffers, () => outgoing?.destroy()),
    {
      headers: {
        ...headers,
        Vary: 'Accept-Encoding',
        ...(isGzip && { 'Content-Encoding': 'gzip' }),
        'Content-Length': String(buffers.reduce((sum, { length }) => sum + length, 0)),
      },
    },
  );
}

const deflatedOf = async (piece: Buffer | JsonText) =>
  Buffer.isBuffer(piece) ? [stored(piece)] : await piece.deflated();
