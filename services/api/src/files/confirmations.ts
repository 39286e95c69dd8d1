import * as actions from '@parley/actions';
import { isDatabaseUnavailable } from '@parley/db';
import { errorReply } from '@parley/http';
import * as model from '@parley/model';
import { ApiError } from '@parley/protocol';
import { Hono } from 'hono';

import { redirectHeaders } from '../auth/find-realm.ts';
import { bugsOf } from '../http/observe-requests.ts';
import type { HandlerDeps } from '../serve/handler.ts';
import { sendText } from './send-file.ts';

type ConfirmationDeps = Pick<
  HandlerDeps,
  'addressOf' | 'clock' | 'engine' | 'limits' | 'logger' | 'realms'
> & {
  secret: string;
};

/** The addresses that links in mails lead to. They answer with plain text, which people read in a browser. */
export function createConfirmationRoutes(deps: ConfirmationDeps): Hono {
  const { clock, engine, limits, logger, realms, secret } = deps;
  const app = new Hono();

  app.get(`${model.emailChanges.emailChangePath}/:key`, async (c) => {
    // Programs that only look whether a link leads anywhere confirm nothing.
    if (c.req.method === 'HEAD') return sendText(405, 'Open this address in a browser.', { Allow: 'GET' });
    try {
      await limits.byAddress.take(deps.addressOf(c));
      const realm = await realms.find(c.req.header('host'));
      const id = model.emailChanges.readEmailChangeKey(secret, c.req.param('key'));
      if (id === null) throw new ApiError('NOT_FOUND', 'This link is not valid.');
      const { email } = await engine.perform(realm.id, actions.emailChanges.confirm, {
        realm,
        id,
        now: new Date(clock.nowMs()),
      });
      return sendText(200, `Your email address is now ${email}. Log in with it from now on.`);
    } catch (error) {
      const { status, headers, body, isBug } = errorReply(error, isDatabaseUnavailable);
      if (isBug) bugsOf(c, logger).error({ err: error }, 'request failed');
      return sendText(status, body.msg, { ...headers, ...redirectHeaders(error, c.req.url) });
    }
  });
  return app;
}
