import * as actions from '@parley/actions';
import { limits } from '@parley/protocol';

import { endpoint, form } from '../../endpoint/endpoint.ts';

export const reportRoute = endpoint({
  method: 'POST',
  path: '/messages/:message_id/report',
  summary: "Reports a message to the organization's moderators.",
  since: 382,
  errors: [],
  params: {
    message_id: form.bigId(),
    report_type: form.oneOf(actions.messages.reportTypes),
    description: form.line(limits.reportDescriptionLength).default(''),
  },
  returns: {},
  async handle({ actor, params, perform }) {
    const { message_id, report_type, description } = params;
    await perform(actions.messages.report, { actor, messageId: message_id, type: report_type, description });
    return {};
  },
});
