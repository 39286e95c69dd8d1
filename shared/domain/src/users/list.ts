import { type Tx, tables } from '@parley/db';
import { and, asc, eq, inArray } from 'drizzle-orm';

import type { Actor } from '../actor.ts';
import { isId } from '../ids.ts';
import { type UserRow } from './find.ts';

/** Every account of the organization, whether or not it is in use; of some ids those that are somebody's. */
export async function listAccounts(tx: Tx, { realm }: Actor, ids: number[] | null): Promise<UserRow[]> {
  const { users } = tables;
  return await tx
    .select()
    .from(users)
    .where(
      and(
        eq(users.realmId, realm.id),
        eq(users.isSystem, false),
        ids ? inArray(users.id, [0, ...ids.filter(isId)]) : undefined,
      ),
    )
    .orderBy(asc(users.id));
}
