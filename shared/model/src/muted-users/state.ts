import { type Tx, tables } from '@parley/db';
import { asc } from 'drizzle-orm';

import type { Actor } from '../actor.ts';
import { isOfUser } from '../ids.ts';
import { toSeconds } from '../time.ts';

/** Returns `muted_users` of POST /register: the users whom a user mutes, and since when. */
export async function mutedUsersState(tx: Tx, user: Pick<Actor, 'id' | 'realm'>) {
  const { mutedUsers } = tables;
  const rows = await tx
    .select()
    .from(mutedUsers)
    .where(isOfUser(mutedUsers, user))
    .orderBy(asc(mutedUsers.mutedUserId));
  return rows.map(({ mutedUserId, mutedAt }) => ({
    id: mutedUserId,
    timestamp: toSeconds(mutedAt),
  }));
}
