import { z } from 'zod';

import { event } from './family.ts';

/** The channels that new users are subscribed to, whole after any change. Sent to everyone but guests. */
export const defaultStreams = event('default_streams', { default_streams: z.array(z.int()) });
