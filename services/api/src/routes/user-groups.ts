import * as actions from '@parley/actions';
import * as model from '@parley/model';
import { ApiError, UserGroup, limits, userGroupNames } from '@parley/protocol';
import { z } from 'zod';

import { endpoint, form, id } from '../endpoint/endpoint.ts';
import { changedPermissions, newPermissions } from '../endpoint/permissions.ts';

/** For all endpoints of groups. */
const requires = ['human', 'member'] as const;

const user_group_id = form.id();
const userIds = form.json(z.array(id).max(limits.principalsPerRequest));
const groupIds = form.json(z.array(id).max(limits.userGroupsPerRealm));

const created = newPermissions(userGroupNames);
const changed = changedPermissions(userGroupNames);

const nothingToDo = (...names: string[]) => {
  const quoted = names.map((name) => `"${name}"`);
  const last = quoted.pop();
  return new ApiError(
    'BAD_REQUEST',
    `There is nothing to change. Send at least one of ${quoted.join(', ')} or ${last}.`,
  );
};

export const userGroupRoutes = [
  endpoint({
    method: 'GET',
    path: '/user_groups',
    summary: 'Lists the user groups of the organization, system groups among them.',
    since: null,
    errors: [],
    fromReplicas: true,
    requires,
    params: { include_deactivated_groups: form.bool().default(false) },
    returns: { user_groups: z.array(UserGroup) },
    async handle({ realm, params, snapshot }) {
      const withDeactivated = params.include_deactivated_groups;
      return {
        user_groups: await snapshot((tx) =>
          model.userGroups.userGroupsState(tx, realm.id, { withDeactivated }),
        ),
      };
    },
  }),

  endpoint({
    method: 'POST',
    path: '/user_groups/create',
    summary: 'Creates a user group with its members and subgroups.',
    since: null,
    errors: [],
    requires,
    isLong: true,
    params: {
      name: form.text(),
      description: form.text(),
      members: userIds,
      subgroups: groupIds.default([]),
      ...created.params,
    },
    returns: { group_id: z.int() },
    async handle({ actor, params, perform }) {
      const input = {
        name: params.name,
        description: params.description,
        members: params.members,
        subgroups: params.subgroups,
        permissions: created.sent(params),
      };
      const { groupId } = await perform(actions.userGroups.create, { actor, ...input });
      return { group_id: groupId };
    },
  }),

  endpoint({
    method: 'PATCH',
    path: '/user_groups/:user_group_id',
    summary: "Changes a user group's name, description or permissions, or reactivates it.",
    since: null,
    errors: ['EXPECTATION_MISMATCH'],
    requires,
    isLong: true,
    params: {
      user_group_id,
      name: form.text().optional(),
      description: form.text().optional(),
      deactivated: form.oneOf(['false']).optional(),
      ...changed.params,
    },
    returns: {},
    async handle({ actor, params, perform }) {
      const input = {
        groupId: params.user_group_id,
        name: params.name,
        description: params.description,
        isReactivated: params.deactivated === 'false',
        permissions: changed.sent(params),
      };
      await perform(actions.userGroups.edit, { actor, ...input });
      return {};
    },
  }),

  endpoint({
    method: 'POST',
    path: '/user_groups/:user_group_id/deactivate',
    summary: 'Deactivates a user group that nothing uses.',
    since: 290,
    errors: ['CANNOT_DEACTIVATE_GROUP_IN_USE'],
    requires,
    params: { user_group_id },
    returns: {},
    async handle({ actor, params, perform }) {
      await perform(actions.userGroups.deactivate, { actor, groupId: params.user_group_id });
      return {};
    },
  }),

  endpoint({
    method: 'GET',
    path: '/user_groups/:user_group_id/members',
    summary: 'Lists the active users in a group, those in its subgroups among them.',
    since: 127,
    errors: [],
    requires,
    params: { user_group_id, direct_member_only: form.bool().default(false) },
    returns: { members: z.array(z.int()) },
    async handle({ realm, params, snapshot }) {
      const members = await snapshot(async (tx) => {
        const group = await model.userGroups.getUserGroup(tx, realm.id, params.user_group_id);
        const all = await model.userGroups.listMembers(
          tx,
          realm.id,
          await model.permissions.getRules(tx, realm.id),
          [group.id],
        );
        return params.direct_member_only
          ? all.filter((user) => model.userGroups.isDirectMember(group, user))
          : all;
      });
      return { members: members.map((user) => user.id) };
    },
  }),

  endpoint({
    method: 'POST',
    path: '/user_groups/:user_group_id/members',
    summary: 'Adds members and subgroups to a group, and removes others.',
    since: null,
    errors: [],
    requires,
    isLong: true,
    params: {
      user_group_id,
      add: userIds.default([]),
      delete: userIds.default([]),
      add_subgroups: groupIds.default([]),
      delete_subgroups: groupIds.default([]),
    },
    returns: {},
    async handle({ actor, params, perform }) {
      const changes = {
        groupId: params.user_group_id,
        add: params.add,
        remove: params.delete,
        addSubgroups: params.add_subgroups,
        removeSubgroups: params.delete_subgroups,
      };
      const { add, remove, addSubgroups, removeSubgroups } = changes;
      if ([add, remove, addSubgroups, removeSubgroups].every((ids) => ids.length === 0)) {
        throw nothingToDo('add', 'delete', 'add_subgroups', 'delete_subgroups');
      }
      await perform(actions.userGroups.changeMembers, { actor, ...changes });
      return {};
    },
  }),

  endpoint({
    method: 'GET',
    path: '/user_groups/:user_group_id/members/:user_id',
    summary: 'Says whether a user is in a group, directly or through a subgroup.',
    since: 127,
    errors: [],
    requires,
    params: { user_group_id, user_id: form.id(), direct_member_only: form.bool().default(false) },
    returns: { is_user_group_member: z.boolean() },
    async handle({ realm, params, snapshot }) {
      const isMember = await snapshot(async (tx) => {
        const group = await model.userGroups.getUserGroup(tx, realm.id, params.user_group_id);
        const [user] = await model.users.listUsers(tx, realm.id, [params.user_id]);
        if (!user) throw new ApiError('BAD_REQUEST', `There is no user with the id ${params.user_id}.`);
        // Deactivated users are in no group that anybody sees.
        if (!user.isActive) return false;
        return params.direct_member_only
          ? model.userGroups.isDirectMember(group, user)
          : (await model.permissions.getRules(tx, realm.id)).includes(group.id, user);
      });
      return { is_user_group_member: isMember };
    },
  }),

  endpoint({
    method: 'GET',
    path: '/user_groups/:user_group_id/subgroups',
    summary: 'Lists the groups in a group, those in its subgroups among them.',
    since: 127,
    errors: [],
    requires,
    params: { user_group_id, direct_subgroup_only: form.bool().default(false) },
    returns: { subgroups: z.array(z.int()) },
    async handle({ realm, params, snapshot }) {
      const subgroups = await snapshot(async (tx) => {
        const group = await model.userGroups.getUserGroup(tx, realm.id, params.user_group_id);
        const rules = await model.permissions.getRules(tx, realm.id);
        return params.direct_subgroup_only
          ? await model.userGroups.listDirectSubgroups(tx, group, rules)
          : model.userGroups.listSubgroups(group, rules);
      });
      return { subgroups };
    },
  }),

  endpoint({
    method: 'POST',
    path: '/user_groups/:user_group_id/subgroups',
    summary: 'Adds subgroups to a group, and removes others.',
    since: 127,
    errors: [],
    requires,
    params: { user_group_id, add: groupIds.default([]), delete: groupIds.default([]) },
    returns: {},
    async handle({ actor, params, perform }) {
      const changes = {
        groupId: params.user_group_id,
        add: [],
        remove: [],
        addSubgroups: params.add,
        removeSubgroups: params.delete,
      };
      if (params.add.length + params.delete.length === 0) throw nothingToDo('add', 'delete');
      await perform(actions.userGroups.changeMembers, { actor, ...changes });
      return {};
    },
  }),
];
