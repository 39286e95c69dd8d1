import * as actions from '@parley/actions';
import * as model from '@parley/model';
import { ApiError } from '@parley/protocol';
import { html } from 'hono/html';

import { form } from '../endpoint/endpoint.ts';
import { pageEndpoint } from '../endpoint/page.ts';
import { sendText } from '../http/reply.ts';

const title = 'Your email address';

/** The page that the link in a mail leads to which goes to a new email address. */
export const confirmEmailPage = pageEndpoint({
  method: 'GET',
  path: `${model.emailChanges.emailChangePath}/:key`,
  title,
  summary: 'Confirms the new email address of an account.',
  errors: ['NOT_FOUND', 'REALM_DEACTIVATED', 'USER_DEACTIVATED'],
  params: { key: form.text() },
  async handle({ realm, params, links, clock, perform, browser }) {
    // Programs that only look whether a link leads anywhere confirm nothing.
    if (browser.request.req.method === 'HEAD') {
      return sendText(405, 'Open this address in a browser.', { Allow: 'GET' });
    }
    const id = links.readEmailChange(params.key);
    if (id === null) throw new ApiError('NOT_FOUND', 'This link is not valid.');
    const now = new Date(clock.nowMs());
    const { email } = await perform(actions.emailChanges.confirm, { realm, id, now });
    return {
      title,
      content: html`<p>Your email address is now ${email}. Use it the next time you log in.</p>`,
    };
  },
});
