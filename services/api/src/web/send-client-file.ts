import type { Context } from 'hono';

import { acceptedEncodings } from '../http/accepted-encodings.ts';
import { type ClientFile, encodings } from '../static/client-files.ts';

/**
 * Answers with a file in the best form that the browser takes, or with 304 if it has it. Each form has a tag of its own.
 */
export function sendClientFile(
  c: Context,
  { type, hash, plain, compressed }: ClientFile,
  headers: Readonly<Record<string, string>>,
): Response {
  const accepted = acceptedEncodings(c.req.header('accept-encoding') ?? '');
  const encoding = encodings.find((name) => compressed[name] && accepted.has(name));
  const etag = `"${hash}${encoding ? `-${encoding}` : ''}"`;
  const all = {
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    'Cross-Origin-Resource-Policy': 'same-origin',
    Vary: 'Accept-Encoding',
    ETag: etag,
    ...headers,
  };
  const had = c.req.header('if-none-match')?.split(',') ?? [];
  if (had.some((tag) => tag.trim().replace(/^W\//, '') === etag)) {
    return new Response(null, { status: 304, headers: all });
  }
  const body = (encoding && compressed[encoding]) ?? plain;
  return new Response(body, {
    headers: {
      ...all,
      'Content-Type': type,
      'Content-Length': String(body.length),
      ...(encoding && { 'Content-Encoding': encoding }),
    },
  });
}
