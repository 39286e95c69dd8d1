import * as actions from '@parley/actions';
import { listHistory } from '@parley/model';
import { MessageSnapshot, limits } from '@parley/protocol';
import { z } from 'zod';

import { endpoint, form } from '../../endpoint.ts';

const reportTypes = Object.keys(actions.messages.reportTypes) as [
  actions.messages.ReportType,
  ...actions.messages.ReportType[],
];

export const historyRoutes = [
  endpoint({
    method: 'GET',
    path: '/messages/:message_id/history',
    summary: 'Lists the states that a message has had, from the original to the present one.',
    since: null,
    errors: [],
    params: { message_id: form.id(), allow_empty_topic_name: form.bool().default(false) },
    returns: { message_history: z.array(MessageSnapshot).min(1) },
    async handle({ actor, params, snapshot }) {
      const { message_id, allow_empty_topic_name } = params;
      return {
        message_history: await snapshot((tx) => listHistory(tx, actor, message_id, allow_empty_topic_name)),
      };
    },
  }),

  endpoint({
    method: 'POST',
    path: '/messages/:message_id/report',
    summary: "Reports a message to the organization's moderators.",
    since: 382,
    errors: [],
    params: {
      message_id: form.id(),
      report_type: form.oneOf(reportTypes),
      description: form.line(limits.reportDescriptionLength).default(''),
    },
    returns: {},
    async handle({ actor, params, perform }) {
      const { message_id, report_type, description } = params;
      await perform((tx) =>
        actions.messages.report(tx, actor, { messageId: message_id, type: report_type, description }),
      );
      return {};
    },
  }),
];
