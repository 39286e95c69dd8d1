import type { Context } from 'hono';

import { type ClientFile, type Encoding, encodings } from './client-files.ts';

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

/** The encodings of an Accept-Encoding header (RFC 9110, section 12.5.3); those of quality 0 are refused ones. */
function acceptedEncodings(header: string): ReadonlySet<Encoding> {
  const named = header.split(',').map((part) =>
    part
      .trim()
      .toLowerCase()
      .split(/\s*;\s*q=/),
  );
  const isRefused = (quality = '1') => !(Number(quality) > 0);
  const wanted = new Set(named.filter(([, quality]) => !isRefused(quality)).map(([name]) => name));
  return new Set(encodings.filter((name) => wanted.has(name)));
}
