import { type Tx, tables } from '@parley/db';
import type { MutedUser } from '@parley/protocol';
import { eq, asc } from 'drizzle-orm';

/** `muted_users` of POST /register: whom a user has muted, and since when. */
export async function mutedUsersState(tx: Tx, userId: number): Promise<MutedUser[]> {
  const { mutedUsers } = tables;
  const rows = await tx
    .select()
    .from(mutedUsers)
    .where(eq(mutedUsers.userId, userId))
    .orderBy(asc(mutedUsers.mutedUserId));
  return rows.map(({ mutedUserId, mutedAt }) => ({
    id: mutedUserId,
    timestamp: Math.floor(mutedAt.getTime() / 1000),
  }));
}
