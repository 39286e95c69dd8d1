import type { Tx, UserRow } from '@parley/db';
import type { User } from '@parley/protocol';

import type { Actor } from '../actor.ts';
import { listProfiles } from '../profile-fields/profiles.ts';
import { presentUser } from './present.ts';

/** For more users than this, the profiles of the whole realm are read instead of these by id. */
const fewUsers = 100;

export interface AccountView {
  clientGravatar: boolean;
  withProfile: boolean;
}

/** Returns users as a viewer may see them, with `is_active`. */
export async function presentAccounts(
  tx: Tx,
  rows: UserRow[],
  viewer: Actor,
  { clientGravatar, withProfile }: AccountView,
): Promise<User[]> {
  const ids = rows.length > fewUsers ? null : rows.map(({ id }) => id);
  const profiles = withProfile ? await listProfiles(tx, viewer.realm.id, ids) : null;
  const view = { viewer, emailDomain: viewer.realm.emailDomain, clientGravatar, profiles };
  return rows.map((row) => ({ is_active: row.isActive, ...presentUser(row, view) }));
}

export async function presentAccount(tx: Tx, row: UserRow, viewer: Actor, view: AccountView): Promise<User> {
  const [user] = await presentAccounts(tx, [row], viewer, view);
  if (!user) throw new Error('A user was not presented.');
  return user;
}
