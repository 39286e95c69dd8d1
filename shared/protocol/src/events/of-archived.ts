import { z } from 'zod';

import type { Client } from '../client.ts';

/**
 * Stands in logged events about archived channels, which clients without `archived_channels` have never heard of.
 * `returned`: what those alone are told of a channel that is archived no more.
 */
export const ofArchived = z.enum(['archived', 'returned']).optional();

export function reachesClient(mark: z.infer<typeof ofArchived>, client: Client): boolean {
  return mark === undefined || (mark === 'archived') === client.archived_channels;
}
