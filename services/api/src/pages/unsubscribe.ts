import * as actions from '@parley/actions';
import { isDatabaseUnavailable } from '@parley/db';
import { errorReply } from '@parley/http';
import type { Realm } from '@parley/model';
import * as model from '@parley/model';
import { ApiError, realmDeactivated } from '@parley/protocol';
import { type Context, Hono } from 'hono';
import { html } from 'hono/html';

import type { HandlerDeps } from '../serve/handler.ts';
import { page } from './page.ts';

export type UnsubscribeDeps = Pick<
  HandlerDeps,
  'addressOf' | 'clock' | 'engine' | 'limits' | 'logger' | 'realms'
> & { secret: string };

interface Subscription {
  realm: Realm;
  realmName: string;
  userId: number;
}

/**
 * The page on which somebody who is told of missed messages by mail ends that. Programs for mail post to it by
 * themselves.
 */
export function createUnsubscribeRoutes(deps: UnsubscribeDeps): Hono {
  const { clock, engine, limits, logger, realms, secret } = deps;
  const app = new Hono();

  async function find(c: Context): Promise<Subscription> {
    await limits.byAddress.take(deps.addressOf(c));
    const realm = await realms.find(c.req.header('host'));
    const userId = model.notifications.readUnsubscribeKey(secret, c.req.param('key') ?? '');
    if (userId === null) throw new ApiError('NOT_FOUND', 'This link is not valid.');
    const { displayName, isActive } = await model.realms.getRealm(engine.db, realm.id);
    if (!isActive) throw realmDeactivated();
    return { realm, realmName: displayName, userId };
  }

  const serve = (respond: (found: Subscription) => Promise<Response>) => async (c: Context) => {
    try {
      return await respond(await find(c));
    } catch (error) {
      const { status, headers, body, isBug } = errorReply(error, isDatabaseUnavailable);
      if (isBug) logger.error({ err: error }, 'request failed');
      return await page(status, 'Mails about missed messages', html`<p>${body.msg}</p>`, headers);
    }
  };

  for (const path of ['/unsubscribe/:key', '/unsubscribe/:key/']) {
    app.get(path, serve(formPage));
    app.post(
      path,
      serve(async ({ realm, realmName, userId }) => {
        await engine.perform(realm.id, actions.users.endMailNotifications, {
          realm,
          userId,
          nowMs: clock.nowMs(),
        });
        logger.info({ realm: realm.name, user: userId }, 'mails about missed messages ended');
        return await donePage(realmName);
      }),
    );
  }
  return app;
}

const formPage = ({ realmName }: Subscription): Promise<Response> =>
  page(
    200,
    'Mails about missed messages',
    html`<p>Does ${realmName} no longer have to tell you by email of messages that you have missed?</p>
      <form method="post"><button>No more mails</button></form>`,
  );

const donePage = (realmName: string): Promise<Response> =>
  page(
    200,
    'Mails about missed messages',
    html`<p>
      ${realmName} sends you no more mails about messages that you have missed. You can switch them on again
      in the settings of your program.
    </p>`,
  );
