import * as model from '@parley/model';
import { limits } from '@parley/protocol';
import { z } from 'zod';

import { bigId, endpoint, form } from '../../endpoint/endpoint.ts';
import { narrow, searches } from './narrow.ts';

export const matchesRoute = endpoint({
  method: 'GET',
  path: '/messages/matches_narrow',
  summary: 'Says which of the given messages match a narrow, with the matches highlighted.',
  since: null,
  errors: ['BAD_NARROW'],
  fromReplicas: true,
  searches,
  params: {
    msg_ids: form.json(z.array(bigId).max(limits.messagesPerFetch)),
    narrow,
    allow_empty_topic_name: form.bool().default(false),
  },
  returns: {
    messages: z.record(z.string(), z.strictObject({ match_content: z.string(), match_subject: z.string() })),
  },
  async handle({ actor, params, snapshot }) {
    const options = { narrow: params.narrow, allowEmptyTopicName: params.allow_empty_topic_name };
    const matches = await snapshot((tx) =>
      model.messages.findNarrowMatches(tx, actor, params.msg_ids, options),
    );
    return { messages: matches };
  },
});
