import * as actions from '@parley/actions';

import { endpoint, form } from '../../endpoint/endpoint.ts';

export const archiveChannelRoute = endpoint({
  method: 'DELETE',
  path: '/streams/:stream_id',
  summary: 'Archives a channel.',
  since: null,
  errors: [],
  params: { stream_id: form.id() },
  returns: {},
  async handle({ actor, params, perform }) {
    await perform(actions.channels.archive, { actor, channelId: params.stream_id });
    return {};
  },
});
