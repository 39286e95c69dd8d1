import type { Json } from './http.ts';
import type { Person } from './person.ts';
import type { TestRealm } from './realm.ts';
import { succeed } from './replies.ts';
import { getWorld } from './world.ts';

/** The id of a user group by its name. */
export async function groupId(by: Person, name: string): Promise<number> {
  const { realm_user_groups } = await by.post('/register', { fetch_event_types: ['realm_user_groups'] });
  return realm_user_groups.find((group: Json) => group.name === name).id;
}

/** Gives a permission of the organization, or of a channel, to a system group. */
export async function permit(
  { owner }: Pick<TestRealm, 'owner'>,
  permission: string,
  group: string,
  channel?: number,
): Promise<void> {
  const change = { [permission]: { new: await groupId(owner, group) } };
  await succeed(owner.patch(channel === undefined ? '/realm' : `/streams/${channel}`, change));
}

/** What the operator of the server permits an owner, and no endpoint does. */
export async function letManageAccounts({ id }: Person): Promise<void> {
  const { sql } = await getWorld();
  await sql`update users set can_create_users = true, can_change_user_emails = true where id = ${id}`;
}

/** What the operator of the server permits an account of a program that mirrors another service. */
export async function letForge({ id }: Pick<Person, 'id'>): Promise<void> {
  const { sql } = await getWorld();
  await sql`update users set can_forge_sender = true where id = ${id}`;
}

/** From now on some channels may be open to all the world. */
export const letSpectatorsIn = ({ owner }: Pick<TestRealm, 'owner'>) =>
  succeed(owner.patch('/realm', { enable_spectator_access: true }));
