import { type Tx, tables, type UserRow } from '@parley/db';
import { type Client, type RealmGroupSetting, presentUnknown } from '@parley/protocol';
import { eq } from 'drizzle-orm';

import { inaccessibleUserIds, restrictsGuests } from '../access/users.ts';
import { type Actor, isAdministrator, isGuest, isModerator, isOwner } from '../actor.ts';
import { getRules } from '../permissions/rules.ts';
import { listProfiles } from '../profile-fields/profiles.ts';
import { isSpectator } from '../realms/spectator.ts';
import { type UserView, presentUser, presentAvatar, publicEmail } from './present.ts';

type UserLists = ReturnType<typeof presentLists>;

/** Returns the lists of users in the `realm_user` part of POST /register. */
export async function userListsState(tx: Tx, actor: Actor, client: Client): Promise<UserLists> {
  const allUsers = await readUsers(tx, actor);
  const inaccessibleIds = await inaccessibleUserIds(
    tx,
    actor,
    allUsers.map(({ id }) => id),
  );
  const rows = allUsers.filter(({ id }) => !inaccessibleIds.has(id));
  const unknown = client.user_list_incomplete ? [] : [...inaccessibleIds];
  return presentLists(rows, unknown, await viewOf(tx, actor, client));
}

/**
 * Returns the key of a user's lists: whoever has the same key sees the same lists, but for the own entry: everybody
 * sees their own address. Null if the lists are the actor's alone.
 */
export async function userListsKey(tx: Tx, actor: Actor, client: Client): Promise<string | null> {
  if (isSpectator(actor)) return null;
  if (isGuest(actor) && restrictsGuests(await getRules(tx, actor.realm.id))) return null;
  return JSON.stringify([actor.role, client.client_gravatar]);
}

/** Returns the lists as somebody of the actor's role sees them who is not among them. */
export async function sharedUserLists(tx: Tx, actor: Actor, client: Client): Promise<UserLists> {
  const view = await viewOf(tx, actor, client);
  return presentLists(await readUsers(tx, actor), [], { ...view, viewer: { id: 0, role: actor.role } });
}

/** Returns the actor's entry in the lists as the actor sees it, and as others of the same role do. */
export async function ownEntries(tx: Tx, actor: Actor, client: Client) {
  const { users } = tables;
  const [row] = await tx.select().from(users).where(eq(users.id, actor.id));
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

async function readUsers(tx: Tx, actor: Actor): Promise<UserRow[]> {
  const { users } = tables;
  return await tx.select().from(users).where(eq(users.realmId, actor.realm.id)).orderBy(users.id);
}

async function viewOf(
  tx: Tx,
  actor: Actor,
  client: Client,
  among: number[] | null = null,
): Promise<UserView> {
  return {
    viewer: actor,
    emailDomain: actor.realm.emailDomain,
    clientGravatar: client.client_gravatar,
    profiles: await listProfiles(tx, actor.realm.id, among),
  };
}

function presentLists(rows: UserRow[], unknown: number[], view: UserView) {
  const present = (isActive: boolean) =>
    rows.filter((row) => !row.isSystem && row.isActive === isActive).map((row) => presentUser(row, view));
  return {
    realm_users: [...present(true), ...unknown.map((id) => presentUnknown(id, view.emailDomain))],
    realm_non_active_users: present(false),
    cross_realm_bots: rows
      .filter(({ isSystem }) => isSystem)
      .map((row) => ({ ...presentUser(row, view), is_active: row.isActive, is_system_bot: true })),
  };
}
