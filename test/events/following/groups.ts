import type { Json, Person, TestRealm } from '../../support/index.ts';

const listGroups = async ({ owner }: TestRealm): Promise<Json[]> =>
  (await owner.get('/user_groups', { include_deactivated_groups: true })).user_groups ?? [];

const named = (groups: Json[], name: string): Json =>
  groups.find((group) => group.name.toLowerCase() === name);

/**
 * Makes the group of a name, or changes it: its members, that it contains the other group, its name, permissions, and
 * whether it is in use.
 */
export async function changeGroup(
  people: TestRealm,
  by: Person,
  { name, other, change }: { name: string; other: string; change: string },
  ids: number[],
): Promise<unknown> {
  const groups = await listGroups(people);
  const [group, inner] = [named(groups, name), named(groups, other)];
  if (!group) return await by.post('/user_groups/create', { name, description: '', members: ids });
  const { owner } = people;
  const path = `/user_groups/${group.id}`;
  if (change === 'archive') return await owner.post(`${path}/deactivate`);
  if (change === 'restore') return await owner.patch(path, { deactivated: false });
  if (change === 'rename') {
    const value = { direct_members: ids, direct_subgroups: inner ? [inner.id] : [] };
    return await owner.patch(path, { name: name.toUpperCase(), can_join_group: { new: value } });
  }
  if (change === 'admit' && inner) {
    const isInside = group.direct_subgroup_ids.includes(inner.id);
    return await owner.post(`${path}/subgroups`, { [isInside ? 'delete' : 'add']: [inner.id] });
  }
  const isIn = (id: number) => group.members.includes(id);
  const members = { add: ids.filter((id) => !isIn(id)), delete: ids.filter(isIn) };
  return await owner.post(`${path}/members`, members);
}

/** The value of a permission that names a group, if there is one of the name; some people if not. */
export async function valueNaming(people: TestRealm, name: string, ids: number[]): Promise<Json> {
  const group = named(await listGroups(people), name);
  return group?.id ?? { direct_members: ids, direct_subgroups: [] };
}
