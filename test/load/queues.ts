import { connectSql } from '@parley/db';
import type { Cluster } from '@parley/infra';
import { createLogger } from '@parley/kit';
import { connectRedis, createSigner, redisReady } from '@parley/redis';

import { registerQueues } from '../bench/fan-out.ts';
import type { QueueOrder } from './clients/messages.ts';
import type { Organization } from './organizations.ts';

const redisMsMax = 10_000;
const atOnce = 250;

/** Who gets a queue: how many of the accounts of an organization, from which on. */
export interface Wanted {
  organization: number;
  accounts: number[];
}

/** Registers a queue for each, as POST /register leaves it: by hundreds, since what is measured begins later. */
export async function openQueues(
  { postgres, redis: redisServer, secret }: Cluster,
  organizations: readonly Organization[],
  wanted: readonly Wanted[],
): Promise<QueueOrder[]> {
  const logger = createLogger({ role: 'load', level: 'error' });
  const redis = connectRedis({ url: redisServer.url, name: 'load', logger });
  const sql = connectSql({ url: postgres.url, name: 'load', max: 1 });
  try {
    await redisReady(redis, redisMsMax);
    const signer = createSigner([secret]);
    const orders: QueueOrder[] = [];
    for (const { organization, accounts } of wanted) {
      const realm = organizations[organization];
      if (!realm) throw new Error(`There is no organization ${organization}.`);
      const users = accounts.map((account) => ({ id: realm.accounts[account]?.id ?? 0 }));
      for (let first = 0; first < users.length; first += atOnce) {
        const some = users.slice(first, first + atOnce);
        const records = await registerQueues({ redis, signer, sql, actor: { realm } }, some);
        orders.push(
          ...records.map(({ id }, index) => ({
            organization,
            account: accounts[first + index] ?? 0,
            queueId: id,
          })),
        );
      }
    }
    return orders;
  } finally {
    redis.disconnect();
    await sql.end({ timeout: 5 });
  }
}
