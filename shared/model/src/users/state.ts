import { type Tx, tables, type UserRow } from '@parley/db';
import type { Client, RealmGroupSetting, User } from '@parley/protocol';
import { sql } from 'drizzle-orm';

import { restrictsGuests } from '../access/users.ts';
import { type Actor, isAdministrator, isGuest, isModerator, isOwner } from '../actor.ts';
import { hasId, inOrder } from '../ids.ts';
import { getRules } from '../permissions/rules.ts';
import { type Profiles, listProfiles } from '../profile-fields/profiles.ts';
import { isSpectator, presentToSpectators } from '../realms/spectator.ts';
import { type ShownUser, type UserView, presentAvatar, presentUser, publicEmail } from './present.ts';

/** The lists of users in the `realm_user` part of POST /register. */
export const userListNames = ['realm_users', 'realm_non_active_users', 'cross_realm_bots'] as const;

export type UserListName = (typeof userListNames)[number];

/** Returns the list in which a user is. */
export const userListOf = ({ isSystem, isActive }: Pick<UserRow, 'isSystem' | 'isActive'>): UserListName =>
  isSystem ? 'cross_realm_bots' : isActive ? 'realm_users' : 'realm_non_active_users';

/** Who is shown the lists. Everybody sees more of their own entry. */
export interface UserListViewer {
  role: number;
  /** Who has no account sees less. */
  isSpectator: boolean;
  clientGravatar: boolean;
  emailDomain: string;
}

export const userListViewer = (actor: Actor, client: Client): UserListViewer => ({
  role: actor.role,
  isSpectator: isSpectator(actor),
  clientGravatar: client.client_gravatar,
  emailDomain: actor.realm.emailDomain,
});

/** Returns the entry of a user in the lists, as the viewer sees it: somebody else, unless it is said who. */
export function presentListed(
  row: ShownUser,
  { role, isSpectator: isOutside, clientGravatar, emailDomain }: UserListViewer,
  profiles: Profiles,
  { id } = { id: 0 },
): User & { is_system_bot?: boolean } {
  const user = presentUser(row, { viewer: { id, role }, emailDomain, clientGravatar, profiles });
  if (row.isSystem) return { ...user, is_active: row.isActive, is_system_bot: true };
  return isOutside ? presentToSpectators(user, emailDomain) : user;
}

/** Returns whether the actor may not access everybody: the lists are theirs alone. */
export const hasOwnUserLists = async (tx: Tx, actor: Actor): Promise<boolean> =>
  !isSpectator(actor) && isGuest(actor) && restrictsGuests(await getRules(tx, actor.realm.id));

/** Returns the ids of all users of a realm, ascending. */
export async function listUserIds(tx: Tx, realmId: number): Promise<number[]> {
  // Parsing a text of numbers takes a tenth of the time of as many rows, and Postgres takes longer to put them in order.
  const [row] = await tx.execute<{ ids: string | null }>(
    sql`select string_agg(id::text, ',') as ids from users where realm_id = ${realmId}`,
  );
  return inOrder(JSON.parse(`[${row?.ids ?? ''}]`) as number[]);
}

/** Returns the actor's entry in the lists as the actor sees it, and as others of the same role do. */
export async function ownEntries(tx: Tx, actor: Actor, client: Client) {
  const { users } = tables;
  const [row] = await tx
    .select()
    .from(users)
    .where(hasId(users, actor.realm, actor.id));
  if (!row) throw new Error(`User ${actor.id} does not exist.`);
  const view = await viewOf(tx, actor, client, [actor.id]);
  return [presentUser(row, view), presentUser(row, { ...view, viewer: { id: 0, role: actor.role } })];
}

/** Returns what the actor is and may do, in the `realm_user` part of POST /register. */
export async function ownUserState(tx: Tx, actor: Actor) {
  const rules = await getRules(tx, actor.realm.id);
  const may = (permission: RealmGroupSetting) => rules.may(actor, permission);
  const creates = {
    can_create_public_streams: may('can_create_public_channel_group'),
    can_create_private_streams: may('can_create_private_channel_group'),
    can_create_web_public_streams: may('can_create_web_public_channel_group'),
  };
  return {
    ...presentAvatar(actor),
    can_create_streams: Object.values(creates).some(Boolean),
    ...creates,
    can_invite_others_to_realm: may('can_invite_users_group'),
    is_admin: isAdministrator(actor),
    is_owner: isOwner(actor),
    is_moderator: isModerator(actor),
    is_guest: isGuest(actor),
    user_id: actor.id,
    email: publicEmail(actor, actor.realm.emailDomain),
    delivery_email: actor.email,
    full_name: actor.fullName,
  };
}

async function viewOf(tx: Tx, actor: Actor, client: Client, among: number[]): Promise<UserView> {
  return {
    viewer: actor,
    emailDomain: actor.realm.emailDomain,
    clientGravatar: client.client_gravatar,
    profiles: await listProfiles(tx, actor.realm.id, among),
  };
}
