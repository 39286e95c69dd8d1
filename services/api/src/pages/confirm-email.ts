import * as actions from '@parley/actions';
import * as model from '@parley/model';
import { ApiError } from '@parley/protocol';
import type { PageTexts } from '@parley/strings';
import { html } from 'hono/html';

import { form } from '../endpoint/endpoint.ts';
import { type PageContext, pageEndpoint } from '../endpoint/page.ts';

const title = ({ confirmEmail }: PageTexts) => confirmEmail.title;
const common = {
  path: `${model.emailChanges.emailChangePath}/:key`,
  title,
  errors: ['NOT_FOUND', 'REALM_DEACTIVATED', 'USER_DEACTIVATED'],
  params: { key: form.text() },
} as const;

/** Returns the id of the change that a link confirms, and the time. @throws NOT_FOUND for a link of nobody's */
function readLink({ params, links, clock }: PageContext<{ key: string }>) {
  const id = links.readEmailChange(params.key);
  if (id === null) throw new ApiError('NOT_FOUND', 'This link is not valid.');
  return { id, now: new Date(clock.nowMs()) };
}

/**
 * The page that the link in a mail leads to which goes to a new email address. It asks first: programs look at the links in
 * mails, and confirm nothing by that.
 */
export const confirmEmailPages = [
  pageEndpoint({
    ...common,
    method: 'GET',
    summary: 'Asks whether somebody wants to use their new email address.',
    async handle(context) {
      const { id, now } = readLink(context);
      const { confirmEmail: text } = context.text;
      const email = await context.snapshot((tx) =>
        model.emailChanges.getPendingEmail(tx, context.realm.id, id, now),
      );
      return {
        title: text.title,
        content: html`<p>${text.ask(email)}</p>
          <form method="post"><button>${text.confirm}</button></form>`,
      };
    },
  }),

  pageEndpoint({
    ...common,
    method: 'POST',
    summary: 'Confirms the new email address of an account.',
    async handle(context) {
      const { realm, perform } = context;
      const { email } = await perform(actions.emailChanges.confirm, { realm, ...readLink(context) });
      const { title: heading, confirmed } = context.text.confirmEmail;
      return { title: heading, content: html`<p>${confirmed(email)}</p>` };
    },
  }),
];
