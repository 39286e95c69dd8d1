import { z } from 'zod';

import { Channel } from '../objects/channel.ts';
import { eventFamily } from './family.ts';

/** Channels appeared or changed. Sent to those who may see them. */
export const stream = eventFamily('stream', {
  create: { streams: z.array(Channel) },
  update: {
    stream_id: z.int(),
    name: z.string(),
    property: z.literal('first_message_id'),
    value: z.int().nullable(),
  },
});
