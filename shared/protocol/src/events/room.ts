import { z } from 'zod';

import { event } from './family.ts';

/**
 * An entry that tells nobody anything. Its ids are room for heartbeats and ephemeral events behind it, or, if it is
 * reserved, for the many events of an entry that was appended with it.
 */
export const room = event(
  'room',
  { reserved: z.literal(true).optional() },
  { sent: [], forClient: () => [] },
);
