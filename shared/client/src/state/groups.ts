import type { Changes } from './changes.ts';
import { reconsiderPrivate } from './derive.ts';
import { type Reducers, get } from './reducers.ts';
import type { State, UserGroup } from './state.ts';

export const groups: Reducers = {
  'user_group add'(state, { group }, { slices }) {
    const { members, direct_subgroup_ids, ...rest } = group;
    state.groups.set(group.id, {
      ...rest,
      members: new Set(members),
      direct_subgroup_ids: new Set(direct_subgroup_ids),
    });
    slices.add('groups');
  },

  'user_group update'(state, { group_id, data }, changes) {
    replace(state, { ...get(state.groups, group_id), ...(data as Partial<UserGroup>) }, changes);
  },

  'user_group remove'(state, { group_id }, { slices }) {
    get(state.groups, group_id);
    state.groups.delete(group_id);
    slices.add('groups');
  },

  'user_group add_members'(state, { group_id, user_ids }, changes) {
    const group = get(state.groups, group_id);
    for (const id of user_ids) group.members.add(id);
    replace(state, { ...group }, changes);
    if (user_ids.includes(state.own.user_id)) reconsiderPrivate(state, changes);
  },

  'user_group remove_members'(state, { group_id, user_ids }, changes) {
    const group = get(state.groups, group_id);
    for (const id of user_ids) group.members.delete(id);
    replace(state, { ...group }, changes);
    if (user_ids.includes(state.own.user_id)) reconsiderPrivate(state, changes);
  },

  'user_group add_subgroups'(state, { group_id, direct_subgroup_ids }, changes) {
    const group = get(state.groups, group_id);
    for (const id of direct_subgroup_ids) group.direct_subgroup_ids.add(id);
    replace(state, { ...group }, changes);
    reconsiderPrivate(state, changes);
  },

  'user_group remove_subgroups'(state, { group_id, direct_subgroup_ids }, changes) {
    const group = get(state.groups, group_id);
    for (const id of direct_subgroup_ids) group.direct_subgroup_ids.delete(id);
    replace(state, { ...group }, changes);
    reconsiderPrivate(state, changes);
  },
};

function replace({ groups }: State, group: UserGroup, { slices }: Changes): void {
  groups.set(group.id, group);
  slices.add('groups');
}
