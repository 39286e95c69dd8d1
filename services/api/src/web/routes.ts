import { isDatabaseUnavailable } from '@parley/db';
import { errorReply } from '@parley/http';
import { ApiError } from '@parley/protocol';
import { type Context, Hono } from 'hono';
import { html } from 'hono/html';

import { redirectHeaders } from '../auth/find-realm.ts';
import { refuse } from '../http/reply.ts';
import { acceptsJson, page } from '../pages/page.ts';
import type { HandlerDeps } from '../serve/handler.ts';
import { type ClientFiles, builtClient, readClientFiles } from './client-files.ts';
import { sendClientFile } from './send-client-file.ts';

type WebDeps = Pick<HandlerDeps, 'isDevelopment' | 'logger' | 'realms'>;

/**
 * What the client may do: run its own scripts and nothing that a page brings along, ask its own server, show pictures
 * and play films of other sites, which messages name. Formulas in messages are laid out by style attributes. Texts
 * become HTML by the client's one policy and nowhere else.
 */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "style-src-attr 'unsafe-inline'",
  "img-src 'self' data: blob: https:",
  "media-src 'self' blob: https:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types parley',
].join('; ');

/** The names of these files change with their content. */
const cachedForEver = { 'Cache-Control': 'public, max-age=31536000, immutable' };
const askedAnew = { 'Cache-Control': 'no-cache', Vary: 'Accept, Accept-Encoding' };

const nothingHere = () => new ApiError('NOT_FOUND', 'There is nothing at this address.');

/** Serves the web client: its page at `/`, for people in a browser, and the files that the page names. */
export function createWebRoutes({ isDevelopment, logger, realms }: WebDeps): Hono {
  const app = new Hono();
  let remembered: Promise<ClientFiles> | undefined;

  function files(): Promise<ClientFiles> {
    // Who works on the client builds it anew while nodes run.
    if (isDevelopment) return readClientFiles(builtClient);
    return (remembered ??= readClientFiles(builtClient).catch((error: unknown) => {
      remembered = undefined;
      throw error;
    }));
  }

  async function show(c: Context): Promise<Response> {
    await realms.find(c.req.header('host'));
    const index = (await files()).get('/index.html');
    if (!index) throw new Error('The web client was built without its page.');
    return sendClientFile(c, index, { ...askedAnew, 'Content-Security-Policy': policy });
  }

  app.get('/', async (c) => {
    if (acceptsJson(c)) return refuse(nothingHere(), logger);
    try {
      return await show(c);
    } catch (error) {
      const { status, headers, body, isBug } = errorReply(error, isDatabaseUnavailable);
      if (isBug) logger.error({ err: error }, 'request failed');
      const location = redirectHeaders(error, c.req.url);
      return await page(status, 'Parley', html`<p>${body.msg}</p>`, { ...headers, ...location });
    }
  });

  app.get('/static/web/:file', async (c) => {
    const file = (await files()).get(c.req.path);
    return file ? sendClientFile(c, file, cachedForEver) : refuse(nothingHere(), logger);
  });
  return app;
}
