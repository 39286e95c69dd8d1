import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';

import { type BytesEndpoint, type Text, bytesEndpoint } from '../endpoint/bytes.ts';

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

/** Text that is read when it is first asked for. */
function once(read: () => Promise<string>): () => Promise<Text> {
  let made: Promise<Text> | undefined;
  return () => (made ??= read().then(taggedText));
}

/** A file of the library that makes the page. */
const ofLibrary = (url: string) => once(() => readFile(new URL(url), 'utf8'));

/** An address of the reference. Answers with a text, unless the client has it. */
function asset(
  path: string,
  type: string,
  summary: string,
  read: (context: { apiDocument(): Promise<Text> }) => Promise<Text>,
): BytesEndpoint {
  return bytesEndpoint({
    of: 'server',
    path,
    summary,
    errors: [],
    params: {},
    async handle(context) {
      const { text, tag } = await read(context);
      const headers = {
        'Content-Type': `${type}; charset=utf-8`,
        'Cache-Control': 'public, max-age=3600',
        'Content-Security-Policy': policy,
        'X-Content-Type-Options': 'nosniff',
        'Referrer-Policy': 'no-referrer',
        ETag: tag,
      };
      const has = context.c.req.header('if-none-match') === tag;
      return has ? new Response(null, { status: 304, headers }) : new Response(text, { headers });
    },
  });
}

/**
 * The API's document, and a page on which people read it and try it. Neither says anything of an organization, so both
 * are for anyone, and caches may keep them for an hour.
 */
export const referenceEndpoints = [
  asset(documentPath, 'application/json', 'Answers with this document.', (context) => context.apiDocument()),
  asset(
    path,
    'text/html',
    'Answers with the page on which people read and try the API.',
    once(() => Promise.resolve(html)),
  ),
  asset(
    `${path}/start.js`,
    'text/javascript',
    'Answers with the script that starts that page.',
    once(() => Promise.resolve(script)),
  ),
  asset(
    `${path}/swagger-ui.css`,
    'text/css',
    'Answers with the style of that page.',
    ofLibrary(import.meta.resolve('swagger-ui-dist/swagger-ui.css')),
  ),
  asset(
    `${path}/swagger-ui-bundle.js`,
    'text/javascript',
    'Answers with the library that makes that page.',
    ofLibrary(import.meta.resolve('swagger-ui-dist/swagger-ui-bundle.js')),
  ),
];

/** Returns a text with the tag by which a client knows whether it has it. */
export const taggedText = (text: string): Text => ({
  text,
  tag: `"${createHash('sha256').update(text).digest('base64url')}"`,
});
