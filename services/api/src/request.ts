import { limits } from '@parley/protocol';
import type { Context } from 'hono';

import type { Sources } from './parameters.ts';

/** A request's parameters wherever they stand: the path, the form body, the query string. */
export interface ReadRequest {
  sources: Sources;
  /** Every name in body and query. */
  names: Set<string>;
}

export async function readRequest(c: Context): Promise<ReadRequest> {
  const path = c.req.param() as Record<string, string | undefined>;
  const query = new URL(c.req.url).searchParams;
  const body = c.req.method === 'GET' || c.req.method === 'HEAD' ? new URLSearchParams() : await readBody(c);
  return {
    sources: (name) => path[name] ?? body.get(name) ?? query.get(name) ?? undefined,
    names: new Set([...body.keys(), ...query.keys()]),
  };
}

async function readBody(c: Context): Promise<URLSearchParams> {
  const type = c.req.header('content-type') ?? '';
  // URLSearchParams is several times faster than the general body parser, and most bodies are plain forms.
  if (!type.startsWith('multipart/form-data')) return new URLSearchParams(await c.req.text());
  const form = await c.req.formData().catch(() => new FormData());
  const fields = new URLSearchParams();
  for (const [name, value] of form) if (typeof value === 'string') fields.append(name, value);
  return fields;
}

/** Name of the calling program: the `client` parameter, else the product of the User-Agent. */
export function clientName(sources: Sources, userAgent: string | undefined): string {
  const product = /^[^\s/]+/.exec(userAgent ?? '')?.[0];
  const name = (sources('client') ?? product ?? 'Unspecified').replaceAll(/\p{Cc}/gu, '');
  return [...name].slice(0, limits.clientNameLength).join('') || 'Unspecified';
}
