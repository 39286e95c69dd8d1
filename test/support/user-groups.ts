import { idsOf } from './conversations.ts';
import type { Json, Params } from './http.ts';
import type { Person } from './person.ts';
import { succeed } from './replies.ts';
import { getWorld } from './world.ts';

/** Makes a user group; answers with its id. */
export async function createGroup(
  by: Person,
  name: string,
  members: Person[] = [],
  more: Params = {},
): Promise<number> {
  const params = { name, description: '', members: idsOf(members), ...more };
  return (await succeed(by.post('/user_groups/create', params))).group_id;
}

/** The groups of the organization by their ids, deactivated ones among them, as somebody is shown them. */
export async function groupsById(by: Person): Promise<Record<number, Json>> {
  const { user_groups } = await succeed(by.get('/user_groups', { include_deactivated_groups: true }));
  return Object.fromEntries(user_groups.map((group: Json) => [group.id, group]));
}

/** The value of a permission that some people have by their own names. */
export const people = (...members: Person[]) => ({
  direct_members: idsOf(members),
  direct_subgroups: [] as number[],
});

/** As if a user were in very many groups. */
export async function fillGroupsOf({ id }: Person, groups: number): Promise<void> {
  const { sql } = await getWorld();
  await sql`update users set group_ids = array(select generate_series(1, ${groups}::int)) where id = ${id}`;
}

/** As if a permission of a group listed very many users. */
export async function fillPermissionOf(group: number, users: number): Promise<void> {
  const { sql } = await getWorld();
  await sql`
    update user_groups set group_settings = jsonb_set(group_settings, '{can_join_group}', jsonb_build_object(
      'direct_members', (select jsonb_agg(n) from generate_series(1, ${users}::int) n), 'direct_subgroups', '[]'::jsonb))
    where id = ${group}`;
}
