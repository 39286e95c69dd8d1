import { z } from 'zod';

import { event } from './family.ts';

/** All channels that new users are subscribed to, after any change. Sent to everyone but guests. */
export const defaultStreams = event('default_streams', { default_streams: z.array(z.int()) });
