import { z } from 'zod';

import { DefaultChannelGroup } from '../objects/channel.ts';
import { event } from './family.ts';

/** All named sets of channels for new users, after any change. Sent to everyone but guests. */
export const defaultStreamGroups = event('default_stream_groups', {
  default_stream_groups: z.array(DefaultChannelGroup),
});
