import { z } from 'zod';

import type { Client } from '../client.ts';

/**
 * A field of logged events about archived channels, which clients without the capability `archived_channels` do not
 * know. `archived` means that only clients with the capability are sent the event; `returned` means that only clients
 * without it are, because the channel is no longer archived.
 */
export const ofArchived = z.enum(['archived', 'returned']).optional();

export function reachesClient(mark: z.infer<typeof ofArchived>, client: Client): boolean {
  return mark === undefined || (mark === 'archived') === client.archived_channels;
}
