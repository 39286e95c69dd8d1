import type { TestRealm } from './realm.ts';
import { getWorld } from './world.ts';

/** A custom emoji of Alice's without a picture, and its id. */
export async function uploadEmoji({ realm: { id }, alice }: TestRealm, name: string): Promise<number> {
  const { sql } = await getWorld();
  const [row] = await sql<{ id: number }[]>`
    insert into realm_emoji (realm_id, name, author_id, path)
    values (${id}, ${name}, ${alice.id}, ${`${name}.png`}) returning id`;
  if (!row) throw new Error('No row came back.');
  return row.id;
}

/** A custom emoji with an id of one's choice. */
export async function addEmoji(
  { realm: { id: realmId } }: TestRealm,
  { id, name }: { id: number; name: string },
): Promise<void> {
  const { sql } = await getWorld();
  await sql`
    insert into realm_emoji (id, realm_id, name, path) overriding system value
    values (${id}, ${realmId}, ${name}, 'x.png')`;
}
