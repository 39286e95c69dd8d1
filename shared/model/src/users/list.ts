import { type Tx, type UserRow, tables } from '@parley/db';
import { and, eq, asc } from 'drizzle-orm';

import { filterAccessible } from '../access/users.ts';
import type { Actor } from '../actor.ts';
import { isId, isAmong } from '../ids.ts';

/** Returns all users whom the actor may access, deactivated ones included. With `ids`, only those of them. */
export async function listAccounts(tx: Tx, actor: Actor, ids: number[] | null): Promise<UserRow[]> {
  const { users } = tables;
  const rows = await tx
    .select()
    .from(users)
    .where(
      and(
        eq(users.realmId, actor.realm.id),
        eq(users.isSystem, false),
        ids ? isAmong(users.id, [0, ...ids.filter(isId)]) : undefined,
      ),
    )
    .orderBy(asc(users.id));
  return await filterAccessible(tx, actor, rows);
}
