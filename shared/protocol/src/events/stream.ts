import { z } from 'zod';

import { Channel } from '../objects/channel.ts';
import { eventFamily } from './family.ts';

/** Channels appeared. Sent to those who may see them. */
export const stream = eventFamily('stream', {
  create: { streams: z.array(Channel) },
});
