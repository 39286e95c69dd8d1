import { type Tx, tables } from '@parley/db';
import { and, asc, eq, sql } from 'drizzle-orm';

import { type SweptRealms, isSwept } from '../ids.ts';

/**
 * Returns users of active realms whose waiting period is over and who are not yet stored as full members, oldest
 * first.
 */
export async function listAccountsPastWaitingPeriod(
  tx: Tx,
  { now, realmIds }: { now: Date; realmIds: SweptRealms },
  limit: number,
) {
  const { realms, users } = tables;
  const waitingDays = sql`coalesce((${realms.settings} ->> 'waiting_period_threshold')::int, 0)`;
  const isPast = sql`${users.joinedAt} <= ${now.toISOString()}::timestamptz - make_interval(days => ${waitingDays})`;
  return await tx
    .select({ id: users.id, realm: realms })
    .from(users)
    .innerJoin(realms, eq(realms.id, users.realmId))
    .where(and(eq(users.isFullMember, false), realms.isActive, isPast, isSwept(users.realmId, realmIds)))
    .orderBy(asc(users.joinedAt))
    .limit(limit);
}
