import * as model from '@parley/model';
import { type GroupPermission, GroupSetting, userGroupSettings } from '@parley/protocol';

import { type Form, type Row, secondsOf } from './form.ts';

/** Adds the groups of an organization, when all of them are known. */
export async function addGroups(form: Form, rows: readonly Row[]): Promise<void> {
  for (const row of rows) {
    form.noteGroup(Number(row['id']));
    if (row['is_system'] === true) form.systemGroups.set(String(row['name']), Number(row['id']));
  }
  for (const row of rows) {
    const id = Number(row['id']);
    const nobody = form.systemGroups.get('role:nobody') ?? 0;
    const settings = Object.fromEntries(Object.keys(userGroupSettings).map((name) => [name, nobody]));
    const own = row['group_settings'] as Row | null;
    await form.tables.add('zerver_usergroup', { id, realm: form.realmId });
    await form.tables.add('zerver_namedusergroup', {
      id,
      usergroup_ptr: id,
      realm_for_sharding: form.realmId,
      name: row['name'],
      description: row['description'],
      date_created: secondsOf(row['created_at']),
      creator: row['creator_id'],
      is_system_group: row['is_system'],
      deactivated: row['is_deactivated'],
      ...(own === null ? settings : await permissionColumns(form, userGroupSettings, own)),
    });
  }
  // Each group that stands for roles contains the one before it, but the last is nobody’s.
  const ids = model.permissions.systemGroups.slice(0, -1).map(({ name }) => form.systemGroups.get(name) ?? 0);
  for (const [index, id] of ids.entries()) {
    const below = ids[index - 1];
    if (below !== undefined) await addSubgroup(form, id, below);
  }
}

export async function addSubgroup(form: Form, group: number, subgroup: number): Promise<void> {
  const id = form.nextId('zerver_groupgroupmembership');
  await form.tables.add('zerver_groupgroupmembership', { id, supergroup: group, subgroup });
}

export async function addMembership(form: Form, group: number, user: number): Promise<void> {
  const id = form.nextId('zerver_usergroupmembership');
  await form.tables.add('zerver_usergroupmembership', { id, user_group: group, user_profile: user });
}

/** Returns permissions as columns. One that names people becomes a group without a name. */
export async function permissionColumns(
  form: Form,
  known: Readonly<Record<string, GroupPermission>>,
  settings: Row,
): Promise<Record<string, number>> {
  const columns: Record<string, number> = {};
  for (const [name, { default: holder }] of Object.entries(known)) {
    const parsed = GroupSetting.safeParse(settings[name]);
    const initial = form.systemGroups.get(holder) ?? form.systemGroups.get('role:nobody') ?? 0;
    columns[name] = parsed.success ? await groupOf(form, parsed.data) : initial;
  }
  return columns;
}

async function groupOf(form: Form, setting: GroupSetting): Promise<number> {
  if (typeof setting === 'number') return setting;
  const id = form.nextGroup();
  await form.tables.add('zerver_usergroup', { id, realm: form.realmId });
  for (const user of setting.direct_members) await addMembership(form, id, user);
  for (const group of setting.direct_subgroups) await addSubgroup(form, id, group);
  return id;
}
