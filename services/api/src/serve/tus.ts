import { notReady } from '@parley/protocol';
import type { Context } from 'hono';

import type { TusEndpoint } from '../endpoint/tus.ts';
import { refuse } from '../http/reply.ts';
import { clientName } from '../http/request.ts';
import { continueUpload } from '../tus/continue-upload.ts';
import { capabilities } from '../tus/endpoints.ts';
import { contextOf } from './context-of.ts';
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

/** Serves a step of an upload that can be resumed. The library that knows the protocol does it as the account. */
export function serveTus(endpoint: TusEndpoint, deps: ServeDeps): Serve {
  return async (c) => {
    const visit = beginVisit(c, deps);
    const steps = async () => {
      const realm = await findRealm(visit, deps);
      await authenticate(visit, endpoint, deps);
      await takeFromLimit(visit, deps);
      const { actor } = visit.caller ?? {};
      if (!actor) throw new Error('An account was asked for, and nobody came.');
      visit.line.client = clientName((name) => c.req.query(name), c.req.header('user-agent'));
      const input = { client: visit.line.client, files: [], delivery: null };
      const context = { ...contextOf(visit, realm, input, deps), actor };
      const { uploads } = deps.turns;
      const uploader = requesterOf(visit);
      if (uploads.isFull(uploader)) throw notReady('uploads');
      const write = () => continueUpload(c.req.raw, context, visit.headers);
      // Most of the time, a request waits for what its sender sends.
      return await uploads.run(uploader, write, { factor: 0 });
    };
    return await answer(visit, deps, steps, refuse);
  };
}

/** Answers what the server can do, which the protocol lets everybody ask. */
export const serveCapabilities =
  (deps: ServeDeps): Serve =>
  async (c: Context) => {
    const visit: Visit = beginVisit(c, deps);
    const steps = async () => {
      await findRealm(visit, deps);
      await takeFromLimit(visit, deps);
      return carry(visit, new Response(null, { status: 204, headers: capabilities }));
    };
    return await answer(visit, deps, steps, refuse);
  };
