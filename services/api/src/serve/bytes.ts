import type { BytesContext, BytesEndpoint } from '../endpoint/bytes.ts';
import { readParameters } from '../http/parameters.ts';
import { refuseAsText } from '../http/reply.ts';
import { readRequest } from '../http/request.ts';
import type { Serve, ServeDeps } from './deps.ts';
import {
  type Visit,
  answer,
  authenticate,
  beginVisit,
  carry,
  findRealm,
  requesterOf,
  takeFromLimit,
} from './visit.ts';

/** Serves a file, or plain text that says why not. Permission to read it is checked for every request. */
export function serveBytes(endpoint: BytesEndpoint, deps: ServeDeps): Serve {
  return async (c) => {
    const visit = beginVisit(c, deps);
    const find = async () => (endpoint.of === 'realm' ? await findRealm(visit, deps) : null);
    const steps = async () => {
      await authenticate(visit, endpoint, deps);
      await takeFromLimit(visit, deps, 'files');
      await using request = await readRequest(c, requesterOf(visit));
      const params = readParameters(endpoint.params, request.sources, endpoint);
      // Safe: the endpoint's own schemas have read the parameters, and of an organization it is where it says so.
      const context = bytesContextOf(visit, params, deps) as BytesContext<never, never>;
      return carry(visit, (await endpoint.handle(context)) ?? (await c.notFound()));
    };
    return await answer(visit, deps, { find, steps }, refuseAsText);
  };
}

const bytesContextOf = (
  { c, realm, caller }: Visit,
  params: unknown,
  { engine, clock, files, pages }: ServeDeps,
) => ({
  c,
  realm,
  reader: caller?.actor ?? null,
  params,
  clock,
  snapshot: ((read) =>
    realm
      ? engine.snapshotAt(realm.id, read)
      : engine.snapshot(read)) satisfies ServeDeps['engine']['snapshot'],
  store: files.store,
  isOpen: (pathId: string, signature: string) =>
    files.temporaryPaths.verify(pathId, signature, clock.nowMs()),
  thumbnail: files.thumbnail,
  clientFiles: pages.clientFiles,
  hasServiceWorker: pages.hasServiceWorker,
  apiDocument: pages.apiDocument,
});
