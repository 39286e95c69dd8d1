import type { Engine } from '@parley/engine';
import type { Clock } from '@parley/kit';
import { readLogHeads, readStreamEnds } from '@parley/log';
import * as model from '@parley/model';
import { type Redis, type Signer, type createJobAdmin, listNodes, partitionOf } from '@parley/redis';

export interface StatusDeps {
  engine: Engine;
  redis: Redis;
  signer: Signer;
  clock: Clock;
  partitions: number;
  jobs: Pick<ReturnType<typeof createJobAdmin>, 'count'>;
}

/** Returns the deployment at one moment. What cannot be read now is null. */
export async function readStatus(deps: StatusDeps): Promise<object> {
  const { engine, redis, signer, clock, partitions, jobs } = deps;
  const orNull = <Result>(read: Promise<Result>): Promise<Result | null> => read.catch(() => null);
  const [nodes, log, queues, due, deadLetters] = await Promise.all([
    orNull(listNodes(redis, signer, clock)),
    orNull(readLog(engine, redis, partitions)),
    orNull(jobs.count()),
    orNull(model.dueWork.listDueWork(engine.db, new Date(clock.nowMs()))),
    orNull(model.webhookDeliveries.countWebhookFailures(engine.db)),
  ]);
  return { now: clock.nowMs(), nodes, log, queues, due, deadLetters };
}

/** The partitions of the log: how many logs and entries, and whether Redis carries their newest. */
async function readLog({ sql }: Engine, redis: Redis, partitions: number) {
  const [heads, ends] = await Promise.all([readLogHeads(sql), readStreamEnds(sql, redis, partitions)]);
  return ends.map(({ partition, length, isCarried }) => {
    const own = heads.filter(({ realmId }) => partitionOf(realmId, partitions) === partition);
    const head = own.reduce((sum, { seq }) => sum + seq, 0);
    return { partition, logs: own.length, head, carried: length, isCarried };
  });
}
