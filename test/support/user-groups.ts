import { idsOf } from './conversations.ts';
import type { Json, Params } from './http.ts';
import type { Person } from './person.ts';
import { succeed } from './replies.ts';

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
