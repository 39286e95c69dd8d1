import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';

import { type Context, Hono } from 'hono';

import type { Endpoint } from '../endpoint/endpoint.ts';
import { createDocument } from './document.ts';

const path = '/api/docs';
const documentPath = '/api/openapi.json';

const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Parley API</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${path}/swagger-ui.css">
</head>
<body>
<div id="reference"></div>
<script src="${path}/swagger-ui-bundle.js"></script>
<script src="${path}/start.js"></script>
</body>
</html>
`;

const script = `window.ui = SwaggerUIBundle({
  url: '${documentPath}',
  dom_id: '#reference',
  deepLinking: true,
  docExpansion: 'none',
  filter: true,
  validatorUrl: null,
});
`;

/** The page runs and shows what this server has, and asks nobody else. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  // The library sets styles of elements.
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

interface Asset {
  type: string;
  readonly read: () => Promise<string>;
}

/** A file of the library that makes the page. */
const ofLibrary = (url: string) => () => readFile(new URL(url), 'utf8');

/**
 * Serves the API's document, and a page on which people read it and try it. Neither says anything of an organization, so
 * both are for anyone, and caches may keep them for an hour.
 */
export function createReferenceRoutes(endpoints: readonly Endpoint[]): Hono {
  const assets: Record<string, Asset> = {
    [documentPath]: {
      type: 'application/json',
      read: async () => JSON.stringify(await createDocument(endpoints)),
    },
    [path]: { type: 'text/html', read: async () => html },
    [`${path}/start.js`]: { type: 'text/javascript', read: async () => script },
    [`${path}/swagger-ui.css`]: {
      type: 'text/css',
      read: ofLibrary(import.meta.resolve('swagger-ui-dist/swagger-ui.css')),
    },
    [`${path}/swagger-ui-bundle.js`]: {
      type: 'text/javascript',
      read: ofLibrary(import.meta.resolve('swagger-ui-dist/swagger-ui-bundle.js')),
    },
  };
  const app = new Hono();
  for (const [address, asset] of Object.entries(assets)) app.get(address, serve(asset));
  return app;
}

/** Answers with a text that is made when it is first asked for, unless the client has it. */
function serve({ type, read }: Asset): (c: Context) => Promise<Response> {
  const make = async () => {
    const text = await read();
    return { text, tag: `"${createHash('sha256').update(text).digest('base64url')}"` };
  };
  let made: ReturnType<typeof make> | undefined;
  return async (c) => {
    const { text, tag } = await (made ??= make());
    const headers = {
      'Content-Type': `${type}; charset=utf-8`,
      'Cache-Control': 'public, max-age=3600',
      'Content-Security-Policy': policy,
      'X-Content-Type-Options': 'nosniff',
      'Referrer-Policy': 'no-referrer',
      ETag: tag,
    };
    const has = c.req.header('if-none-match') === tag;
    return has ? new Response(null, { status: 304, headers }) : new Response(text, { headers });
  };
}
