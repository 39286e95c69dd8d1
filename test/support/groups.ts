import type { Json } from './http.ts';
import type { Person } from './person.ts';

/** The id of a user group by its name. */
export async function groupId(by: Person, name: string): Promise<number> {
  const { realm_user_groups } = await by.post('/register', { fetch_event_types: ['realm_user_groups'] });
  return realm_user_groups.find((group: Json) => group.name === name).id;
}
