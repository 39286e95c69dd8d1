import { ApiError } from '@parley/protocol';
import { z } from 'zod';

import { endpoint } from '../../endpoint/endpoint.ts';
import { narrow } from './narrow.ts';

export const summaryRoute = endpoint({
  method: 'GET',
  path: '/messages/summary',
  summary: 'Refuses to summarize the messages of a narrow, for which the server has no language model.',
  since: 350,
  errors: [],
  params: { narrow },
  returns: { summary: z.string() },
  handle() {
    throw new ApiError('BAD_REQUEST', 'This server cannot summarize messages.');
  },
});
