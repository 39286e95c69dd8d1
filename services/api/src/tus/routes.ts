import { randomBytes } from 'node:crypto';

import { createTurns } from '@parley/kit';
import type { Actor } from '@parley/model';
import { ApiError, limits, notReady } from '@parley/protocol';
import { budgetHeaders } from '@parley/redis';
import { type Locker, Server } from '@tus/server';
import { type Context, Hono } from 'hono';

import { redirectHeaders } from '../auth/find-realm.ts';
import { identifyByHeader } from '../auth/identify.ts';
import type { RequestContext } from '../endpoint/context.ts';
import { fileTooLarge } from '../files/store-upload.ts';
import { bugsOf, requestLine } from '../http/observe-requests.ts';
import { refuse, reply } from '../http/reply.ts';
import { clientName } from '../http/request.ts';
import { type HandlerDeps, contextOf, takeFromLimit } from '../serve/handler.ts';
import { PieceStore, TusRefusal } from './piece-store.ts';

const path = '/api/v1/tus';
const bytesMax = limits.uploadMebibytes * 1024 * 1024;

/** Whoever is here has an account, as for a simple upload. */
const kind = { auth: 'user', forWebhookBots: false } as const;

/** Requests for one upload need no lock: the store takes each piece once. */
const noLocks: Locker = {
  newLock: () => ({ lock: () => Promise.resolve(), unlock: () => Promise.resolve() }),
};

const capabilities = {
  'Tus-Resumable': '1.0.0',
  'Tus-Version': '1.0.0',
  'Tus-Extension': 'creation,creation-with-upload,expiration,termination',
  'Tus-Max-Size': String(bytesMax),
};

/**
 * Uploads that can be resumed, by the protocol tus 1.0: announced with POST, continued with PATCH, asked after with HEAD
 * and given up with DELETE. The last PATCH answers with the upload's address. The rules are those of POST /user_uploads.
 */
export function createTusRoutes(deps: HandlerDeps): Hono {
  // A request that writes holds a piece in memory.
  const turns = createTurns<number>({ atOnce: 4, waitingMax: 20 });

  async function answer(c: Context): Promise<Response> {
    const realm = await deps.realms.find(c.req.header('host'));
    const line = requestLine(c);
    line.realm = realm.name;
    if (c.req.method === 'OPTIONS') return new Response(null, { status: 204, headers: capabilities });
    const caller = await identifyByHeader(c, kind, realm, deps);
    if (!caller) throw new Error('An account was asked for, and nobody came.');
    const { actor } = caller;
    line.user = actor.id;
    const budget = await takeFromLimit(c, actor, deps);
    const headers = budgetHeaders(budget, deps.clock.nowMs());
    const client = clientName((name) => c.req.query(name), c.req.header('user-agent'));
    const request = { realm, caller, address: deps.addressOf(c), client, received: [], delivery: null, line };
    const context = { ...contextOf(deps, request), actor };
    if (turns.isFull(actor.id)) throw notReady('uploads');
    return await turns.take(actor.id, () => serve(c.req.raw, context, headers));
  }

  const app = new Hono();
  const handle = async (c: Context) => {
    return await deps.engine
      .whileAnswering(() => answer(c))
      .catch((error: unknown) => refuse(error, bugsOf(c, deps.logger), redirectHeaders(error, c.req.url)));
  };
  app.all(path, handle);
  app.all(`${path}/:id`, handle);
  return app;
}

async function serve(
  request: Request,
  context: RequestContext<unknown, Actor>,
  headers: Record<string, string>,
): Promise<Response> {
  const datastore = new PieceStore(context);
  let failure: unknown;
  const server = new Server({
    path,
    datastore,
    locker: noLocks,
    maxSize: bytesMax,
    relativeLocation: true,
    namingFunction: () => randomBytes(24).toString('base64url'),
    async onUploadFinish({ method }, { id }) {
      const { pathId, name } = await datastore.finished(id);
      const url = `/user_uploads/${pathId}`;
      const body = JSON.stringify({ result: 'success', msg: '', url, filename: name });
      return { ...(method === 'PATCH' && { status_code: 200 }), body: `${body}\n` };
    },
    onResponseError(_, error) {
      failure = error;
      return 'status_code' in error ? undefined : { status_code: 500, body: '' };
    },
  });
  const response = await server.handleWeb(request);
  failure = datastore.failure ?? failure;
  if (failure instanceof TusRefusal) return refusal(failure.status_code, failure.body, headers);
  // What the library did not throw itself is answered like the error of any endpoint.
  if (failure instanceof Error && !('status_code' in failure)) throw failure;
  return await translate(response, headers);
}

/** The library's reply, with JSON where there is a body and without permissions for the pages of other sites. */
async function translate(response: Response, more: Record<string, string>): Promise<Response> {
  const own = [...response.headers].filter(
    ([name]) => !/^(?:access-control-.*|content-(?:length|type)|connection)$/i.test(name),
  );
  const headers = { ...Object.fromEntries(own), ...more };
  const { status } = response;
  if (status < 400) {
    const text = await response.text();
    if (text !== '') return reply(JSON.parse(text) as object, status, headers);
    return new Response(null, { status, headers: { ...headers, 'Cache-Control': 'no-store' } });
  }
  return refusal(status, await response.text(), headers);
}

function refusal(status: number, said: string, headers: Record<string, string>): Response {
  if (status >= 500 && status !== 501) throw new Error(`A resumable upload failed: ${said}`);
  const code = status === 404 || status === 410 ? 'NOT_FOUND' : 'BAD_REQUEST';
  const msg = status === 413 ? fileTooLarge : said.trim() || 'The request is not one of a resumable upload.';
  return reply(new ApiError(code, msg).body(), status, headers);
}
