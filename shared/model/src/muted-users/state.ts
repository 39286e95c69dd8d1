import { type Tx, tables } from '@parley/db';
import { eq, asc } from 'drizzle-orm';

import { toSeconds } from '../time.ts';

/** Returns `muted_users` of POST /register: the users whom a user mutes, and since when. */
export async function mutedUsersState(tx: Tx, userId: number) {
  const { mutedUsers } = tables;
  const rows = await tx
    .select()
    .from(mutedUsers)
    .where(eq(mutedUsers.userId, userId))
    .orderBy(asc(mutedUsers.mutedUserId));
  return rows.map(({ mutedUserId, mutedAt }) => ({
    id: mutedUserId,
    timestamp: toSeconds(mutedAt),
  }));
}
