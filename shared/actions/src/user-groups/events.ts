import type { UserGroupRow } from '@parley/db';
import { type PendingEvent, events, to } from '@parley/protocol';

/** Returns the field of events about a deactivated group, which only clients that list such groups are sent. */
export const deactivatedField = ({ isDeactivated }: Pick<UserGroupRow, 'isDeactivated'>) =>
  isDeactivated ? { of_deactivated: 'deactivated' as const } : {};

/** Returns the event of users who become direct members of a group, or cease to be; none if there are none. */
export const memberEvents = (
  group: UserGroupRow,
  op: 'add_members' | 'remove_members',
  ids: number[],
): PendingEvent[] =>
  ids.length === 0
    ? []
    : [to.everyone(events.userGroup[op]({ group_id: group.id, user_ids: ids, ...deactivatedField(group) }))];

/** Returns the event of groups that become direct subgroups of a group, or cease to be; none if there are none. */
export const subgroupEvents = (
  group: UserGroupRow,
  op: 'add_subgroups' | 'remove_subgroups',
  ids: number[],
): PendingEvent[] =>
  ids.length === 0
    ? []
    : [
        to.everyone(
          events.userGroup[op]({ group_id: group.id, direct_subgroup_ids: ids, ...deactivatedField(group) }),
        ),
      ];
