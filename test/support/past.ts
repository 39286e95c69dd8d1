import type { Person } from './person.ts';
import { getWorld } from './world.ts';

/** What no request can make: things of another time. */

/** As if the message had been sent that much earlier. */
export async function makeOlder(
  { realm }: Pick<Person, 'realm'>,
  messageId: number,
  seconds: number,
): Promise<void> {
  const { sql } = await getWorld();
  const [row] = await sql<{ at: Date }[]>`
    select sent_at - make_interval(secs => ${seconds}) as at from messages
    where realm_id = ${realm.id} and id = ${messageId}`;
  await sql`update messages set sent_at = ${row?.at ?? null} where realm_id = ${realm.id} and id = ${messageId}`;
}

/** As if the message had been sent so long before this moment. */
export const setAge = (person: Pick<Person, 'realm'>, messageId: number, seconds: number): Promise<void> =>
  setSentAt(person, messageId, new Date(Date.now() - seconds * 1000));

/** As if the message had been sent at that moment. */
export async function setSentAt(
  { realm }: Pick<Person, 'realm'>,
  messageId: number,
  at: Date,
): Promise<void> {
  const { sql } = await getWorld();
  await sql`update messages set sent_at = ${at}
    where realm_id = ${realm.id} and id = ${messageId}`;
}

/** As if the channel had been made that many days ago. */
export async function makeChannelOlder(channelId: number, days: number): Promise<void> {
  const { sql } = await getWorld();
  const [row] = await sql<{ at: Date }[]>`
    select created_at - make_interval(days => ${days}) as at from channels where id = ${channelId}`;
  await sql`update channels set created_at = ${row?.at ?? null} where id = ${channelId}`;
}

/** As if the message had been deleted that many days earlier. */
export async function makeDeletionOlder(
  { realm }: Pick<Person, 'realm'>,
  messageId: number,
  days: number,
): Promise<void> {
  const { sql } = await getWorld();
  const [row] = await sql<{ at: Date }[]>`
    select deleted_at - make_interval(days => ${days}) as at from archived_messages
    where realm_id = ${realm.id} and id = ${messageId}`;
  await sql`
    update archived_messages set deleted_at = ${row?.at ?? null} where realm_id = ${realm.id} and id = ${messageId}`;
}

/** As if the person had been active, and online, that many seconds ago. */
export async function setLastSeen({ id }: Person, activeSeconds: number, idleSeconds: number): Promise<void> {
  const { sql } = await getWorld();
  await sql`
    update presences set active_at = now() - make_interval(secs => ${activeSeconds}),
      idle_at = now() - make_interval(secs => ${idleSeconds}) where user_id = ${id}`;
}

/** As if the account were that many hours older. */
export async function makeAccountOlder({ id }: Person, hours: number): Promise<void> {
  const { sql } = await getWorld();
  await sql`update users set joined_at = joined_at - make_interval(hours => ${hours}) where id = ${id}`;
}

/** As if the person had last done anything that many days ago. */
export async function setLastActive({ id }: Person, daysAgo: number): Promise<void> {
  const { sql } = await getWorld();
  await sql`update users set last_active_on = current_date - ${daysAgo}::int where id = ${id}`;
}

/** As if the message had been rendered by an older version of the code. */
export async function setOldRendering(
  { realm }: Pick<Person, 'realm'>,
  messageId: number,
  html: string,
): Promise<void> {
  const { sql } = await getWorld();
  await sql`update messages set rendered_version = 0, rendered_content = ${html}
    where realm_id = ${realm.id} and id = ${messageId}`;
}
