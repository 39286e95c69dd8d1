import { randomBytes } from 'node:crypto';

import type { Actor } from '@parley/model';
import { ApiError } from '@parley/protocol';
import { type Locker, Server } from '@tus/server';

import type { RequestContext } from '../endpoint/context.ts';
import { fileTooLarge } from '../files/store-upload.ts';
import { reply } from '../http/reply.ts';
import { bytesMax } from './endpoints.ts';
import { PieceStore, TusRefusal } from './piece-store.ts';

/** Requests for one upload need no lock: the store takes each piece once. */
const noLocks: Locker = {
  newLock: () => ({ lock: () => Promise.resolve(), unlock: () => Promise.resolve() }),
};

/** Does what a request of the protocol asks for, as the account of the context. */
export async function continueUpload(
  request: Request,
  context: RequestContext<unknown, Actor>,
  headers: Record<string, string>,
): Promise<Response> {
  const datastore = new PieceStore(context);
  let failure: unknown;
  const server = new Server({
    path: '/api/v1/tus',
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
  return await translate(response, context.realm.url, headers);
}

/** The library's reply, with the whole address of an upload, with JSON where there is a body and without permissions for the pages of other sites. */
async function translate(
  response: Response,
  realmUrl: string,
  more: Record<string, string>,
): Promise<Response> {
  const own = [...response.headers].filter(
    ([name]) => !/^(?:access-control-.*|content-(?:length|type)|connection)$/i.test(name),
  );
  const location = response.headers.get('location');
  const headers = {
    ...Object.fromEntries(own),
    ...(location !== null && { location: new URL(location, realmUrl).href }),
    ...more,
  };
  const { status } = response;
  if (status < 400) {
    const text = await response.text();
    if (text !== '') return reply(JSON.parse(text) as object, status, headers);
    return new Response(null, { status, headers: { ...headers, 'Cache-Control': 'no-store' } });
  }
  return refusal(status, await response.text(), headers);
}

function refusal(status: number, said: string, headers: Record<string, string>): Response {
  if (status >= 500 && status !== 501) throw new Error(`The upload failed: ${said}`);
  const code = status === 404 || status === 410 ? 'NOT_FOUND' : 'BAD_REQUEST';
  const msg = status === 413 ? fileTooLarge : said.trim() || 'This is not a request of a resumable upload.';
  return reply(new ApiError(code, msg).body(), status, headers);
}
