import { systemClock } from '@parley/kit';

import { runOnDemand } from './jobs.ts';
import type { Person } from './person.ts';
import { getWorld } from './world.ts';

/** A second from now, as clients write it. */
export const inSeconds = (seconds: number) => Math.floor(Date.now() / 1000) + seconds;

/** Delivers what the person has due within the next hours, as a worker does when it is due. */
export const deliverDue = ({ id }: Pick<Person, 'id'>, hours = 2): Promise<object> =>
  runOnDemand('deliver-due', id, {
    clock: { nowMs: () => systemClock.nowMs() + hours * 3_600_000 },
  });

/** As if the person had that many more scheduled messages, or reminders, each of that many bytes. */
export async function fillSchedule(
  { id, realm }: Person,
  what: 'scheduled_messages' | 'reminders',
  { count, bytes = 1 }: { count: number; bytes?: number },
): Promise<void> {
  const { sql } = await getWorld();
  const own =
    what === 'reminders'
      ? { message_id: 1, note: '' }
      : { type: 'private', recipients: [id], topic: '', client: 'test', read_by_sender: false };
  const row = {
    ...own,
    realm_id: realm.id,
    user_id: id,
    content: '',
    rendered_content: 'x'.repeat(bytes),
    due_at: new Date(Date.now() + 3_600_000),
  };
  await sql`insert into ${sql(what)} ${sql(Array.from({ length: count }, () => row))}`;
}

/** What became of the person's scheduled messages, also where no request is answered any more. */
export async function scheduleOf({ id }: Person): Promise<{ isSent: boolean; failure: string | null }[]> {
  const { sql } = await getWorld();
  const rows = await sql<{ isSent: boolean; failure: string | null }[]>`
    select sent_at is not null as "isSent", failure_message as failure from scheduled_messages
    where user_id = ${id} order by id`;
  return [...rows];
}
