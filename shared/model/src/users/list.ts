import { type Tx, type UserRow, tables } from '@parley/db';
import type { User } from '@parley/protocol';
import { and, eq, asc } from 'drizzle-orm';

import { filterAccessible, inaccessibleUserIds } from '../access/users.ts';
import type { Actor } from '../actor.ts';
import { isId, isAmong } from '../ids.ts';
import type { AccountView } from './accounts.ts';
import { presentUser } from './present.ts';
import { readShownUsers } from './shown.ts';
import { listUserIds } from './state.ts';

/** So many are read at once, however many there are. */
const accountsAtOnce = 1000;

/** Returns all users whom the actor may access, deactivated ones included, as the actor sees them, one after the other. */
export async function* presentAllAccounts(
  tx: Tx,
  actor: Actor,
  { clientGravatar, withProfile }: AccountView,
): AsyncGenerator<User> {
  const { id: realmId, emailDomain } = actor.realm;
  const allIds = await listUserIds(tx, realmId);
  const inaccessible = await inaccessibleUserIds(tx, actor, allIds);
  const ids = inaccessible.size === 0 ? allIds : allIds.filter((id) => !inaccessible.has(id));
  for (let first = 0; first < ids.length; first += accountsAtOnce) {
    const some = ids.slice(first, first + accountsAtOnce);
    const { rows, profiles } = await readShownUsers(tx, realmId, some, withProfile);
    const view = { viewer: actor, emailDomain, clientGravatar, profiles: withProfile ? profiles : null };
    for (const row of rows) if (!row.isSystem) yield { is_active: row.isActive, ...presentUser(row, view) };
  }
}

/** Returns those of some users whom the actor may access, deactivated ones included. */
export async function listAccounts(tx: Tx, actor: Actor, ids: readonly number[]): Promise<UserRow[]> {
  const { users } = tables;
  const rows = await tx
    .select()
    .from(users)
    .where(
      and(eq(users.realmId, actor.realm.id), eq(users.isSystem, false), isAmong(users.id, ids.filter(isId))),
    )
    .orderBy(asc(users.id));
  return await filterAccessible(tx, actor, rows);
}
