import { z } from 'zod';

import type { Client } from '../client.ts';
import { UserGroup, userGroupPermissions } from '../objects/user-group.ts';
import { eventFamily, sentEvent } from './family.ts';

/**
 * A field of logged events about deactivated groups, which clients without the capability `include_deactivated_groups`
 * do not know. `deactivated` means that only clients with the capability are sent the event; `unlisted` means that only
 * clients without it are: to them a deactivated group is removed, and a reactivated one is new.
 */
const ofDeactivated = z.enum(['deactivated', 'unlisted']).optional();

const reachesClient = (mark: z.infer<typeof ofDeactivated>, client: Client) =>
  mark === undefined || (mark === 'deactivated') === client.include_deactivated_groups;

const members = { group_id: z.int(), user_ids: z.array(z.int()), of_deactivated: ofDeactivated };
const subgroups = { group_id: z.int(), direct_subgroup_ids: z.array(z.int()), of_deactivated: ofDeactivated };

const shapes = {
  add: { group: UserGroup, of_deactivated: ofDeactivated },
  update: {
    group_id: z.int(),
    data: z
      .strictObject({
        name: z.string(),
        description: z.string(),
        deactivated: z.boolean(),
        ...userGroupPermissions,
      })
      .partial(),
    of_deactivated: ofDeactivated,
  },
  add_members: members,
  remove_members: members,
  add_subgroups: subgroups,
  remove_subgroups: subgroups,
  remove: { group_id: z.int(), of_deactivated: ofDeactivated },
};

/** User groups were created, changed, deactivated or reactivated. Sent to everyone in the realm. */
export const userGroup = eventFamily('user_group', shapes, {
  sent: Object.entries(shapes).map(([op, shape]) =>
    sentEvent('user_group', { op: z.literal(op), ...shape }).omit({ of_deactivated: true }),
  ),
  forClient({ of_deactivated: mark, ...event }, client) {
    return reachesClient(mark, client) ? [event] : [];
  },
});
