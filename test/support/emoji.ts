import type { TestRealm } from './realm.ts';
import { getWorld } from './world.ts';

/** A custom emoji of Alice's, and its id; the API has no way to upload one yet. */
export async function uploadEmoji({ realm: { id }, alice }: TestRealm, name: string): Promise<number> {
  const { sql } = await getWorld();
  const [row] = await sql<{ id: number }[]>`
    insert into realm_emoji (realm_id, name, author_id, path)
    values (${id}, ${name}, ${alice.id}, ${`${name}.png`}) returning id`;
  if (!row) throw new Error('No row came back.');
  return row.id;
}
