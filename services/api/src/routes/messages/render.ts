import * as model from '@parley/model';
import { z } from 'zod';

import { endpoint, form } from '../../endpoint/endpoint.ts';

export const renderRoute = endpoint({
  method: 'POST',
  path: '/messages/render',
  summary: 'Renders a text to HTML as it would be rendered in a message of the caller.',
  since: null,
  errors: [],
  params: { content: form.text() },
  returns: { rendered: z.string() },
  handle: ({ params, actor, snapshot }) =>
    snapshot(async (tx) => ({ rendered: await model.messages.previewMessage(tx, actor, params.content) })),
});
