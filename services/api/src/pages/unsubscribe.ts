import * as actions from '@parley/actions';
import * as model from '@parley/model';
import { ApiError, realmDeactivated } from '@parley/protocol';
import type { PageTexts } from '@parley/strings';
import { html } from 'hono/html';

import { form } from '../endpoint/endpoint.ts';
import { type PageContext, pageEndpoint } from '../endpoint/page.ts';

const title = ({ unsubscribe }: PageTexts) => unsubscribe.title;
const common = {
  path: '/unsubscribe/:key',
  title,
  errors: ['NOT_FOUND', 'REALM_DEACTIVATED'],
  params: { key: form.text() },
} as const;

/** Who ends the mails, and the name of their organization. */
async function find({ realm, params, links, snapshot }: PageContext<{ key: string }>) {
  const userId = links.readUnsubscription(params.key);
  if (userId === null) throw new ApiError('NOT_FOUND', 'This link is not valid.');
  const [home, user] = await snapshot(
    async (tx) =>
      [
        await model.realms.getRealm(tx, realm.id),
        (await model.users.listUsers(tx, realm.id, [userId]))[0],
      ] as const,
  );
  if (!user) throw new ApiError('NOT_FOUND', 'This link is not valid.');
  if (!home.isActive) throw realmDeactivated();
  return { userId, realmName: home.displayName };
}

/**
 * The page on which somebody who is told of missed messages by mail ends that. Programs for mail post to it by
 * themselves.
 */
export const unsubscribePages = [
  pageEndpoint({
    ...common,
    method: 'GET',
    summary: 'Asks whether somebody wants no more mails about missed messages.',
    async handle(context) {
      const { realmName } = await find(context);
      const { unsubscribe: text } = context.text;
      return {
        title: text.title,
        content: html`<p>${text.ask(realmName)}</p>
          <form method="post"><button>${text.submit}</button></form>`,
      };
    },
  }),

  pageEndpoint({
    ...common,
    method: 'POST',
    summary: 'Ends the mails about missed messages of an account.',
    async handle(context) {
      const { realm, clock, perform, log } = context;
      const { userId, realmName } = await find(context);
      await perform(actions.users.endMailNotifications, { realm, userId, nowMs: clock.nowMs() });
      log.info({ realm: realm.name, user: userId }, 'unsubscribed from emails about missed messages');
      const { title: heading, done } = context.text.unsubscribe;
      return { title: heading, content: html`<p>${done(realmName)}</p>` };
    },
  }),
];
