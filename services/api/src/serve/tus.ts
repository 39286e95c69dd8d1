import type { Realm } from '@parley/model';
import { notReady } from '@parley/protocol';
import type { Context } from 'hono';

import { addressOf } from '../endpoint/kinds.ts';
import type { TusEndpoint } from '../endpoint/tus.ts';
import { refuse } from '../http/reply.ts';
import { clientName } from '../http/request.ts';
import { continueUpload, receiverOf } from '../tus/continue-upload.ts';
import { bytesMax, capabilitiesOf } from '../tus/endpoints.ts';
import { contextOf } from './context-of.ts';
import type { Serve, ServeDeps } from './deps.ts';
import {
  type Credentials,
  type Visit,
  answer,
  authenticate,
  beginVisit,
  carry,
  checkRoles,
  findRealm,
  requesterOf,
  takeFromLimit,
} from './visit.ts';

/** Serves a step of an upload that can be resumed. The library that knows the protocol does it as the account. */
export function serveTus(endpoint: TusEndpoint, deps: ServeDeps, by: Credentials = 'header'): Serve {
  const path = folderOf(endpoint, by);
  return async (c) => {
    const visit = beginVisit(c, deps);
    const steps = async (realm: Realm) => {
      await authenticate(visit, endpoint, deps, by);
      await takeFromLimit(visit, deps);
      checkRoles(visit, endpoint.requires);
      const { actor } = visit.caller ?? {};
      if (!actor) throw new Error('An account was asked for, and nobody came.');
      visit.line.client = clientName((name) => c.req.query(name), c.req.header('user-agent'));
      const input = { client: visit.line.client, files: [], delivery: null };
      const context = { ...contextOf(visit, realm, input, deps), actor };
      const { uploads } = deps.turns;
      const uploader = requesterOf(visit);
      if (uploads.isFull(uploader)) throw notReady('uploads');
      const receiver = receiverOf(endpoint.of, path, context);
      const write = () => continueUpload(c.req.raw, receiver, realm.url, visit.headers);
      // Most of the time, a request waits for what its sender sends.
      return await uploads.run(uploader, write, { factor: 0 });
    };
    return await answer(visit, deps, { find: () => findRealm(visit, deps), steps }, refuse);
  };
}

/** The address below which uploads of a kind have theirs. */
const folderOf = (endpoint: TusEndpoint, by: Credentials) =>
  addressOf(endpoint)
    .replace(/\/:id$/, '')
    .replace(/^\/api\/v1/, by === 'session' ? '/json' : '$&');

/** Answers what the server can do, which the protocol lets everybody ask. */
export const serveCapabilities =
  ({ of }: TusEndpoint, deps: ServeDeps): Serve =>
  async (c: Context) => {
    const visit: Visit = beginVisit(c, deps);
    const steps = async () => {
      await takeFromLimit(visit, deps);
      const headers = capabilitiesOf(of === 'upload' ? bytesMax : deps.imports.bytesMax);
      return carry(visit, new Response(null, { status: 204, headers }));
    };
    return await answer(visit, deps, { find: () => findRealm(visit, deps), steps }, refuse);
  };
