import { ApiError } from '@parley/protocol';
import { z } from 'zod';

import { endpoint, form } from '../endpoint/endpoint.ts';

/** Services for video calls that clients know, and that the server has no account of. */
export const callRoutes = [
  endpoint({
    method: 'POST',
    path: '/calls/zoom/create',
    summary: 'Refuses to create a call by Zoom, which the server is not configured for.',
    since: null,
    errors: [],
    requires: ['human'],
    params: { is_video_call: form.json(z.boolean()).optional() },
    returns: { url: z.string() },
    handle() {
      throw new ApiError('BAD_REQUEST', 'This server is not set up for Zoom.');
    },
  }),

  endpoint({
    method: 'GET',
    path: '/calls/bigbluebutton/create',
    summary: 'Refuses to create a call by BigBlueButton, which the server is not configured for.',
    since: null,
    errors: [],
    params: { meeting_name: form.text(), voice_only: form.json(z.boolean()).optional() },
    returns: { url: z.string() },
    handle() {
      throw new ApiError('BAD_REQUEST', 'This server is not set up for BigBlueButton.');
    },
  }),
];
