import { createLogger, systemClock } from '@parley/kit';
import type { Job } from '@parley/protocol';
import type { PushClient } from '@parley/push';
import { createSentLately } from '@parley/redis';
import { type JobDeps, type Outbound, createImporter, onDemandJobs, recurringJobs } from '@parley/worker';

import { settingsOfWorld } from './parley.ts';
import { getWorld } from './world.ts';

const nobody: Outbound = {
  request: () => Promise.reject(new Error('There is no outside world in this test.')),
  [Symbol.asyncDispose]: () => Promise.resolve(),
};

const noPush: PushClient = {
  services: new Set(),
  send: () => Promise.reject(new Error('There are no phones in this test.')),
  [Symbol.asyncDispose]: () => Promise.resolve(),
};

/** What a worker of this file's world has for its jobs: no way to anybody outside, and nobody to ask. */
export async function jobDeps(differing: Partial<JobDeps> = {}): Promise<JobDeps> {
  const { engine, store, site, secret, redis, uploads } = await getWorld();
  const env = { ...(await settingsOfWorld()), UPLOADS_DIR: uploads };
  return {
    engine,
    store,
    site,
    outbound: nobody,
    webhooks: nobody,
    mailer: { isAvailable: false, send: () => Promise.reject(new Error('There is no mail in this test.')) },
    push: noPush,
    search: null,
    secrets: [secret],
    messagesPerExportPart: 10_000,
    importer: createImporter({ env, diskBytesMax: null }),
    queues: { enqueue: () => undefined },
    sentLately: createSentLately(redis),
    clock: systemClock,
    logger: createLogger({ role: 'test', level: 'silent' }),
    ...differing,
  };
}

/** Returns what jobs take so that they look for work in one organization alone, at the server that holds it. */
export async function sweptAlone(realmId: number): Promise<Pick<JobDeps, 'engine'>> {
  const { engine } = await getWorld();
  const [db, sql] = [await engine.dbOf(realmId), await engine.servers.sqlOf(realmId)];
  return { engine: { ...engine, sweep: async (work) => [await work(db, [realmId], sql)] } };
}

/** Runs a recurring job; answers with what it logs. */
export async function runRecurring(name: string, differing?: Partial<JobDeps>): Promise<object> {
  const job = recurringJobs.find((one) => one.name === name);
  if (!job) throw new Error(`There is no job ${name}.`);
  return await job.run(await jobDeps(differing));
}

/** Runs a job on demand, about the thing with this id. */
export async function runOnDemand(
  name: string,
  id: number,
  differing?: Partial<JobDeps>,
  realmId?: number,
): Promise<object> {
  const job = onDemandJobs.find((one) => one.name === name);
  if (!job) throw new Error(`There is no job ${name}.`);
  return await job.run(await jobDeps(differing), id, realmId);
}

/** Measures the traffic of each realm whose turn it is. */
export async function measureAll(differing: Partial<JobDeps> = {}): Promise<void> {
  const jobs: Job[] = [];
  await runRecurring('sweep-traffic', { ...differing, queues: { enqueue: (job) => jobs.push(job) } });
  for (const { name, id } of jobs) await runOnDemand(name, id, differing);
}
