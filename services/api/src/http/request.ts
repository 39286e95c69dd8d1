import { Readable } from 'node:stream';

import { limits } from '@parley/protocol';
import type { Context } from 'hono';

import { type Received, type ReceivedFile, type UploadLimit, receive } from '../files/receive.ts';
import type { Sources } from './parameters.ts';

/** The parameters and files of a request. Parameters come from the path, the form body and the query string. */
export interface ReadRequest extends AsyncDisposable {
  sources: Sources;
  /** The names of all parameters in body and query. */
  names: Set<string>;
  files: ReceivedFile[];
}

/** Reads a request. Its files exist until it is disposed of. */
export async function readRequest(c: Context, upload: UploadLimit | null): Promise<ReadRequest> {
  const path = c.req.param() as Record<string, string | undefined>;
  const query = new URL(c.req.url).searchParams;
  const received = await readBody(c, upload);
  const { fields: body, files } = received;
  return {
    files,
    [Symbol.asyncDispose]: () => received[Symbol.asyncDispose](),
    sources: (name) => path[name] ?? body.get(name) ?? query.get(name) ?? undefined,
    names: new Set([...body.keys(), ...query.keys()]),
  };
}

const nothing = () => Promise.resolve();

async function readBody(c: Context, upload: UploadLimit | null): Promise<Received> {
  const without = (fields: URLSearchParams) => ({ fields, files: [], [Symbol.asyncDispose]: nothing });
  if (c.req.method === 'GET' || c.req.method === 'HEAD') return without(new URLSearchParams());
  const type = c.req.header('content-type') ?? '';
  if (upload && c.req.raw.body && type.toLowerCase().startsWith('multipart/form-data')) {
    return await receive(Readable.fromWeb(c.req.raw.body), type, upload);
  }
  return without(await readFields(c, type));
}

async function readFields(c: Context, type: string): Promise<URLSearchParams> {
  // URLSearchParams is several times faster than the general body parser, and most bodies are plain forms.
  if (!type.startsWith('multipart/form-data')) return new URLSearchParams(await c.req.text());
  const form = await c.req.formData().catch(() => new FormData());
  const fields = new URLSearchParams();
  for (const [name, value] of form) if (typeof value === 'string') fields.append(name, value);
  return fields;
}

/** The name of the calling program: the `client` parameter, or else the product in its User-Agent. */
export function clientName(sources: Sources, userAgent: string | undefined): string {
  const product = /^[^\s/]+/.exec(userAgent ?? '')?.[0];
  const name = (sources('client') ?? product ?? 'Unspecified').replaceAll(/\p{Cc}/gu, '');
  return [...name].slice(0, limits.clientNameLength).join('') || 'Unspecified';
}
