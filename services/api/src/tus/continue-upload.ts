import { randomBytes } from 'node:crypto';

import type { Actor } from '@parley/model';
import { ApiError } from '@parley/protocol';
import { type Locker, Server } from '@tus/server';

import type { RequestContext } from '../endpoint/context.ts';
import { fileTooLarge } from '../files/store-upload.ts';
import { reply } from '../http/reply.ts';
import { ArchiveStore } from './archive-store.ts';
import { bytesMax } from './endpoints.ts';
import { TusRefusal } from './piece-store.ts';
import { UploadStore } from './upload-store.ts';

/** Requests for one upload need no lock: the store takes each piece once. */
const noLocks: Locker = {
  newLock: () => ({ lock: () => Promise.resolve(), unlock: () => Promise.resolve() }),
};

/** What is sent in pieces: where, how large it may be, and what is said if it is larger. */
interface Receiver {
  path: string;
  store: UploadStore | ArchiveStore;
  bytesMax: number;
  tooLarge: string;
}

/** Returns what receives uploads, or the archives of imports, at an address. */
export function receiverOf(
  kind: 'upload' | 'archive',
  path: string,
  context: RequestContext<unknown, Actor>,
): Receiver {
  if (kind === 'upload') {
    return { path, store: new UploadStore(context), bytesMax, tooLarge: fileTooLarge };
  }
  const { bytesMax: archiveMax } = context.imports;
  const gib = Math.round((archiveMax / 2 ** 30) * 100) / 100;
  const tooLarge = `An archive can have at most ${gib} GiB. Ask the operators of this server to import a larger one.`;
  // Where no archives are taken, the action says so.
  return { path, store: new ArchiveStore(context), bytesMax: archiveMax, tooLarge };
}

/** Does what a request of the protocol asks for, as the account of the context. */
export async function continueUpload(
  request: Request,
  { path, store, bytesMax: maxSize, tooLarge }: Receiver,
  realmUrl: string,
  headers: Record<string, string>,
): Promise<Response> {
  let failure: unknown;
  const server = new Server({
    path,
    datastore: store,
    locker: noLocks,
    maxSize,
    relativeLocation: true,
    namingFunction: () => randomBytes(24).toString('base64url'),
    async onUploadFinish({ method }, { id }) {
      const body = JSON.stringify({ result: 'success', msg: '', ...(await store.finished(id)) });
      return { ...(method === 'PATCH' && { status_code: 200 }), body: `${body}\n` };
    },
    onResponseError(_, error) {
      failure = error;
      return 'status_code' in error ? undefined : { status_code: 500, body: '' };
    },
  });
  const response = await server.handleWeb(request);
  failure = store.failure ?? failure;
  if (failure instanceof TusRefusal) return refusal(failure.status_code, failure.body, tooLarge, headers);
  // What the library did not throw itself is answered like the error of any endpoint.
  if (failure instanceof Error && !('status_code' in failure)) throw failure;
  return await translate(response, realmUrl, tooLarge, headers);
}

/** The library's reply, with the whole address of an upload, with JSON where there is a body and without permissions for the pages of other sites. */
async function translate(
  response: Response,
  realmUrl: string,
  tooLarge: string,
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
  return refusal(status, await response.text(), tooLarge, headers);
}

function refusal(status: number, said: string, tooLarge: string, headers: Record<string, string>): Response {
  if (status >= 500 && status !== 501) throw new Error(`The upload failed: ${said}`);
  const code = status === 404 || status === 410 ? 'NOT_FOUND' : 'BAD_REQUEST';
  const msg = status === 413 ? tooLarge : said.trim() || 'This is not a request of a resumable upload.';
  return reply(new ApiError(code, msg).body(), status, headers);
}
