import { type Tx, tables } from '@parley/db';
import type { RealmGroupSetting } from '@parley/protocol';
import { eq } from 'drizzle-orm';

import { type Actor, isGuest } from '../actor.ts';
import { listProfiles } from '../profile-fields/profiles.ts';
import { getRules } from '../realms/rules.ts';
import { presentAvatar, presentUser, publicEmail } from './present.ts';

/** The `realm_user` part of POST /register. */
export async function usersState(tx: Tx, actor: Actor, clientGravatar: boolean) {
  const { users } = tables;
  const rows = await tx.select().from(users).where(eq(users.realmId, actor.realm.id)).orderBy(users.id);
  const profiles = await listProfiles(tx, actor.realm.id, null);
  const view = { viewer: actor, realmHost: actor.realm.host, clientGravatar, profiles };
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
    realm_users: present(true),
    realm_non_active_users: present(false),
    cross_realm_bots: rows
      .filter(({ isSystem }) => isSystem)
      .map((row) => ({ ...presentUser(row, view), is_system_bot: true })),
    ...presentAvatar(actor),
    can_create_streams: Object.values(creates).some(Boolean),
    ...creates,
    can_invite_others_to_realm: may('can_invite_users_group'),
    is_admin: actor.role <= 200,
    is_owner: actor.role === 100,
    is_moderator: actor.role <= 300,
    is_guest: isGuest(actor),
    user_id: actor.id,
    email: publicEmail(actor, actor.realm.host),
    delivery_email: actor.email,
    full_name: actor.fullName,
  };
}
