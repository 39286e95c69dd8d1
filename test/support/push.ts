import type { Person } from './person.ts';
import { getWorld } from './world.ts';

/** The devices of a person, in the order in which they were registered: service, token, app. */
export async function devicesOf({ id }: Person): Promise<[string, string, string | null][]> {
  const { sql } = await getWorld();
  const rows = await sql<{ service: string; token: string; app: string | null }[]>`
    select service, token, app_id as app from push_tokens where user_id = ${id} order by registered_at, id`;
  return rows.map(({ service, token, app }) => [service, token, app]);
}
