import { z } from 'zod';

import { Channel } from '../objects/channel.ts';
import { eventFamily } from './family.ts';

/** Channels appeared or changed. Sent to those who may see them. */
export const stream = eventFamily('stream', {
  create: { streams: z.array(Channel) },
  delete: {
    stream_ids: z.array(z.int()),
    streams: z.array(z.strictObject({ stream_id: z.int() })),
  },
  update: {
    stream_id: z.int(),
    name: z.string(),
    property: z.literal('first_message_id'),
    value: z.int().nullable(),
  },
});
