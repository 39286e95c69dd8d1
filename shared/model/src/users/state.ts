import { type Tx, tables } from '@parley/db';
import { type Client, type RealmGroupSetting, presentUnknown } from '@parley/protocol';
import { eq } from 'drizzle-orm';

import { inaccessibleUserIds } from '../access/users.ts';
import { type Actor, isAdministrator, isGuest, isModerator, isOwner } from '../actor.ts';
import { getRules } from '../permissions/rules.ts';
import { listProfiles } from '../profile-fields/profiles.ts';
import { presentUser, presentAvatar, publicEmail } from './present.ts';

/** The `realm_user` part of POST /register: users, and what the actor may do. */
export async function usersState(tx: Tx, actor: Actor, client: Client) {
  const { users } = tables;
  const allUsers = await tx.select().from(users).where(eq(users.realmId, actor.realm.id)).orderBy(users.id);
  const inaccessibleIds = await inaccessibleUserIds(
    tx,
    actor,
    allUsers.map(({ id }) => id),
  );
  const rows = allUsers.filter(({ id }) => !inaccessibleIds.has(id));
  const unknown = client.user_list_incomplete ? [] : [...inaccessibleIds];
  const profiles = await listProfiles(tx, actor.realm.id, null);
  const view = {
    viewer: actor,
    emailDomain: actor.realm.emailDomain,
    clientGravatar: client.client_gravatar,
    profiles,
  };
  const present = (isActive: boolean) =>
    rows.filter((row) => !row.isSystem && row.isActive === isActive).map((row) => presentUser(row, view));
  const rules = await getRules(tx, actor.realm.id);
  const may = (permission: RealmGroupSetting) => rules.may(actor, permission);
  const creates = {
    can_create_public_streams: may('can_create_public_channel_group'),
    can_create_private_streams: may('can_create_private_channel_group'),
    can_create_web_public_streams: may('can_create_web_public_channel_group'),
  };
  return {
    realm_users: [...present(true), ...unknown.map((id) => presentUnknown(id, actor.realm.emailDomain))],
    realm_non_active_users: present(false),
    cross_realm_bots: rows
      .filter(({ isSystem }) => isSystem)
      .map((row) => ({ ...presentUser(row, view), is_active: row.isActive, is_system_bot: true })),
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
