import { createHash } from 'node:crypto';

import * as model from '@parley/model';
import { ApiError } from '@parley/protocol';

import { bytesEndpoint } from '../endpoint/bytes.ts';
import { form } from '../endpoint/endpoint.ts';
import { pageEndpoint } from '../endpoint/page.ts';
import { acceptsJson } from '../http/page.ts';
import type { ClientFile } from '../static/client-files.ts';
import { manifestOf } from './manifest.ts';
import { noServiceWorker } from './no-service-worker.ts';
import { sendClientFile } from './send-client-file.ts';

/**
 * What the client may do: run its own scripts and, of what stands in the page, the one that was built into it, ask its own
 * server, show pictures and play films of other sites, which messages name. Formulas in messages are laid out by style
 * attributes. Texts become HTML by the client's one policy and nowhere else.
 */
const policyOf = (script: string): string =>
  [
    "default-src 'none'",
    `script-src 'self' '${script}'`,
    "style-src 'self'",
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data: blob: https:",
    "media-src 'self' blob: https:",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "worker-src 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types parley',
  ].join('; ');

/** The script that stands in a page, as a policy names it. */
function sourceOfScript({ plain }: ClientFile): string {
  const [, script = ''] = /<script>([^]*?)<\/script>/.exec(new TextDecoder().decode(plain)) ?? [];
  return `sha256-${createHash('sha256').update(script).digest('base64')}`;
}

/** What its service worker may do beside that: ask its own server. */
const workerPolicy = "default-src 'none'; connect-src 'self'";

/** The names of these files change with their content. */
const cachedForEver = { 'Cache-Control': 'public, max-age=31536000, immutable' };
const askedAnew = { 'Cache-Control': 'no-cache', Vary: 'Accept, Accept-Encoding' };

/** The web client: its page at `/`, for people in a browser, and the files that the page names. */
export const webEndpoints = [
  pageEndpoint({
    method: 'GET',
    path: '/',
    title: () => 'Parley',
    summary: 'Answers with the page of the web client.',
    errors: ['NOT_FOUND'],
    params: {},
    async handle({ browser: { request }, clientFiles }) {
      if (acceptsJson(request)) throw new ApiError('NOT_FOUND', 'There is nothing at this address.');
      const index = (await clientFiles()).get('/index.html');
      if (!index) throw new Error('The web client was built without its page.');
      return sendClientFile(request, index, {
        ...askedAnew,
        'Content-Security-Policy': policyOf(sourceOfScript(index)),
      });
    },
  }),

  bytesEndpoint({
    of: 'server',
    path: '/service-worker.js',
    summary: 'Answers with the service worker of the web client.',
    errors: ['NOT_FOUND'],
    params: {},
    async handle({ c, clientFiles, hasServiceWorker }) {
      const headers = { ...askedAnew, 'Content-Security-Policy': workerPolicy };
      if (!hasServiceWorker) return sendClientFile(c, noServiceWorker, headers);
      const file = (await clientFiles()).get(c.req.path);
      return file && sendClientFile(c, file, headers);
    },
  }),

  bytesEndpoint({
    of: 'realm',
    path: '/manifest.webmanifest',
    summary: 'Answers with what a browser needs to install the web client as an application.',
    errors: ['NOT_FOUND'],
    params: {},
    async handle({ c, realm, snapshot, clientFiles }) {
      const { displayName } = await snapshot((tx) => model.realms.getRealm(tx, realm.id));
      const file = manifestOf(displayName, [...(await clientFiles()).keys()]);
      return sendClientFile(c, file, { ...askedAnew, Vary: 'Accept-Encoding' });
    },
  }),

  bytesEndpoint({
    of: 'server',
    path: '/static/web/:file',
    summary: 'Answers with a file of the web client.',
    errors: ['NOT_FOUND'],
    params: { file: form.text() },
    async handle({ c, clientFiles }) {
      const file = (await clientFiles()).get(c.req.path);
      return file && sendClientFile(c, file, cachedForEver);
    },
  }),
];
