import { Readable } from 'node:stream';

import type { ByteRange, FileStore } from '@parley/files';
import { unsafeCharacters } from '@parley/protocol';
import type { Context } from 'hono';

import { sendText } from '../http/reply.ts';

export interface SentFile {
  key: string;
  bytes: number;
  contentType: string;
  /** The name under which a browser saves it. */
  name: string;
}

/** Types that browsers may display. They save all others to disk, so that no upload runs as a page of this origin. */
const displayable: ReadonlySet<string> = new Set([
  'application/pdf',
  'audio/aac',
  'audio/flac',
  'audio/mp4',
  'audio/mpeg',
  'audio/ogg',
  'audio/wav',
  'audio/webm',
  'image/apng',
  'image/avif',
  'image/gif',
  'image/jpeg',
  'image/png',
  'image/webp',
  'text/plain',
  'video/mp4',
  'video/webm',
]);

/** Caching of uploads: an address names the same content for ever, and only the reader's own browser may keep it. */
export const cachedForEver = 'private, max-age=31536000, immutable';

/** Answers with a file, with the range of it that was asked for, or with 304 if the reader has it already. */
export async function sendFile(
  c: Context,
  store: Pick<FileStore, 'open'>,
  file: SentFile,
  cacheControl: string,
): Promise<Response> {
  // The content under a key never changes.
  const etag = `"${Buffer.from(file.key).toString('base64url').slice(-40)}"`;
  const headers = { ...headersOf(file), ETag: etag, 'Cache-Control': cacheControl, 'Accept-Ranges': 'bytes' };
  if (matches(c.req.header('if-none-match'), etag)) return new Response(null, { status: 304, headers });

  const ifRange = c.req.header('if-range');
  const rangeHeader = ifRange === undefined || ifRange === etag ? c.req.header('range') : undefined;
  const range = readRange(rangeHeader, file.bytes);
  if (range === 'unsatisfiable') {
    const span = { ...headers, 'Content-Range': `bytes */${file.bytes}`, 'Content-Length': '0' };
    return new Response(null, { status: 416, headers: span });
  }
  const length = range ? range.end - range.start + 1 : file.bytes;
  const sized = {
    ...headers,
    'Content-Length': String(length),
    ...(range && { 'Content-Range': `bytes ${range.start}-${range.end}/${file.bytes}` }),
  };
  const status = range ? 206 : 200;
  if (c.req.raw.method === 'HEAD') return new Response(null, { status, headers: sized });
  const content = await store.open(file.key, range);
  if (!content) return sendText(404, 'This file no longer exists.');
  // Safe: the two names are declared apart and are the same class in Node.
  return new Response(Readable.toWeb(content.body) as ReadableStream, { status, headers: sized });
}

function headersOf({ contentType, name }: SentFile): Record<string, string> {
  const isDisplayable = displayable.has(contentType);
  // Browsers refuse to show a PDF in a sandbox.
  const sandbox = contentType === 'application/pdf' ? '' : 'sandbox; ';
  return {
    'Content-Type': contentType === 'text/plain' ? 'text/plain; charset=utf-8' : contentType,
    'Content-Disposition': `${isDisplayable ? 'inline' : 'attachment'}; ${fileName(name)}`,
    'X-Content-Type-Options': 'nosniff',
    'Content-Security-Policy': `${sandbox}default-src 'none'; style-src 'unsafe-inline'; img-src 'self'; media-src 'self'; object-src 'self'`,
    'Cross-Origin-Resource-Policy': 'same-site',
    'Referrer-Policy': 'no-referrer',
    Vary: 'Authorization, Cookie',
  };
}

/** The file name as RFC 6266 writes it: plain letters for old programs, the name as it is read for all others. */
function fileName(stored: string): string {
  const name = stored.replaceAll(unsafeCharacters, '') || 'file';
  const plain = name.replaceAll(/[^\w .()+,=@-]/g, '_');
  const encoded = encodeURIComponent(name).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `filename="${plain}"; filename*=UTF-8''${encoded}`;
}

const matches = (header: string | undefined, etag: string) =>
  header !== undefined && header.split(',').some((tag) => ['*', etag, `W/${etag}`].includes(tag.trim()));

/** Reads one range of bytes (RFC 9110, section 14). Anything else is ignored, so that the whole file is sent. */
function readRange(header: string | undefined, bytes: number): ByteRange | undefined | 'unsatisfiable' {
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? '') ?? [];
  if (first === '' && last === '') return undefined;
  const start = first === '' ? Math.max(0, bytes - Number(last)) : Number(first);
  const end = first === '' || last === '' ? bytes - 1 : Math.min(Number(last), bytes - 1);
  if (first !== '' && last !== '' && Number(last) < start) return undefined;
  return start >= bytes || (first === '' && Number(last) === 0) ? 'unsatisfiable' : { start, end };
}
