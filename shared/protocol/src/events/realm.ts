import { z } from 'zod';

import { eventFamily } from './family.ts';

/** One property of the organization changed, or several that belong together, or it ends. Sent to everyone in the realm. */
export const realm = eventFamily('realm', {
  update: { property: z.string(), value: z.union([z.boolean(), z.int(), z.string(), z.null()]) },
  update_dict: {
    property: z.enum(['default', 'icon', 'logo', 'night_logo']),
    data: z.record(z.string(), z.unknown()),
  },
  /** The last event of the realm: whoever hears it is refused from then on. */
  deactivated: { realm_id: z.int() },
});
