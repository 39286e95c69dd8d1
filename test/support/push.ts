import type { Job } from '@parley/protocol';
import type { JobDeps } from '@parley/worker';

import { runOnDemand, runRecurring } from './jobs.ts';
import type { Person } from './person.ts';
import { getWorld } from './world.ts';

/** The devices of a person, in the order in which they were registered: service, token, app. */
export async function devicesOf({ id }: Person): Promise<[string, string, string | null][]> {
  const { sql } = await getWorld();
  const rows = await sql<{ service: string; token: string; app: string | null }[]>`
    select service, token, app_id as app from push_tokens where user_id = ${id} order by registered_at, id`;
  return rows.map(({ service, token, app }) => [service, token, app]);
}

/**
 * Decides whom to notify, as workers do each second, and sends nothing; answers with the jobs that would send. Realms
 * take turns.
 */
export async function decideWhom(differing: Partial<JobDeps> = {}): Promise<Job[]> {
  const jobs: Job[] = [];
  const queues = { enqueue: (job: Job) => jobs.push(job) };
  await runRecurring('notify', { ...differing, queues });
  const isOfRealm = ({ name }: Job) => name === 'notify-realm';
  for (const { name, id } of jobs.filter(isOfRealm)) {
    // A job that fails is tried again a second later.
    await runOnDemand(name, id, { ...differing, queues }).catch(() => {});
  }
  return jobs.filter((job) => !isOfRealm(job));
}

/** Does what workers do in a second: decides whom to notify, and sends what is due; answers with the jobs that it took. */
export async function notify(differing: Partial<JobDeps> = {}): Promise<Job[]> {
  const jobs = await decideWhom(differing);
  for (const { name, id, realmId } of jobs) await runOnDemand(name, id, differing, realmId);
  return jobs;
}

/** The notifications that wait to be sent to a person. */
export async function pendingFor({ id }: Person) {
  const { sql } = await getWorld();
  return await sql<{ kind: string; message_id: number; attempts: number; wait_seconds: number }[]>`
    select kind, message_id, attempts, extract(epoch from due_at - now())::float8 as wait_seconds
    from pending_notifications where user_id = ${id} order by message_id, kind`;
}

/** As if all entries of a realm's log were older than the log. */
export async function forgetLog(realmId: number): Promise<void> {
  const { sql } = await getWorld();
  await sql`delete from event_log where realm_id = ${realmId}`;
}

/** As if so many messages that were pushed to a person had been read at once. */
export async function addRemovals({ id, realm }: Person, count: number): Promise<void> {
  const { sql } = await getWorld();
  await sql`
    insert into pending_notifications (realm_id, user_id, message_id, kind, due_at, expires_at)
    select ${realm.id}, ${id}, n, 'removal', now(), now() + interval '1 hour' from generate_series(1, ${count}::int) n`;
}
