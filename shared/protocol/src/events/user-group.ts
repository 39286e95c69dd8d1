import { z } from 'zod';

import { eventFamily } from './family.ts';

/** The members of a user group changed. Sent to everyone in the realm. */
export const userGroup = eventFamily('user_group', {
  add_members: { group_id: z.int(), user_ids: z.array(z.int()) },
  remove_members: { group_id: z.int(), user_ids: z.array(z.int()) },
});
