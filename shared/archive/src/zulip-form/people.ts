import * as model from '@parley/model';
import {
  authenticationMethods,
  fullRealmSettings,
  fullUserSettings,
  realmGroupSettings,
} from '@parley/protocol';

import { channelColumns, numberOf } from '../convert/zulip/settings.ts';
import { type Form, type Row, addSubscription, secondsOf } from './form.ts';
import { addMembership, permissionColumns } from './groups.ts';

/** Adds the organization, when its groups are known. */
export async function addRealm(form: Form, row: Row): Promise<void> {
  const { tables, realmId } = form;
  const settings = fullRealmSettings(row['settings'] as object);
  const columns = Object.entries(settings).map(([name, value]) => {
    const column = (channelColumns as Readonly<Record<string, string>>)[name];
    return column === undefined ? [name, numberOf(name, value)] : [column, Number(value) > 0 ? value : null];
  });
  const pictures = [
    ['icon', 'G'],
    ['logo', 'D'],
    ['night_logo', 'D'],
  ].flatMap(([kind, none]) => [
    [`${kind}_source`, row[`${kind}_path`] === null ? none : 'U'],
    [`${kind}_version`, row[`${kind}_version`]],
  ]);
  await tables.add('zerver_realm', {
    id: realmId,
    string_id: row['name'],
    name: row['display_name'],
    description: row['description'],
    date_created: secondsOf(row['created_at']),
    deactivated: row['is_active'] !== true,
    ...Object.fromEntries([...columns, ...pictures]),
    ...(await permissionColumns(form, realmGroupSettings, row['group_settings'] as Row)),
  });
  for (const kind of ['icon', 'logo', 'night_logo']) {
    const path = row[`${kind}_path`];
    if (typeof path === 'string') form.pictures.set(path, kind);
  }
  const methods = row['authentication_methods'] as Row;
  for (const name of authenticationMethods) {
    if (methods[name] === false) continue;
    const id = form.nextId('zerver_realmauthenticationmethod');
    await tables.add('zerver_realmauthenticationmethod', { id, realm: realmId, name });
  }
  const defaults = settingColumns(row['user_defaults'] as object);
  await tables.add('zerver_realmuserdefault', { id: 1, realm: realmId, ...defaults });
}

const settingColumns = (stored: object) =>
  Object.fromEntries(
    Object.entries(fullUserSettings(stored)).map(([name, value]) => [name, numberOf(name, value)]),
  );

/** Adds an account with the groups that it is in. */
export async function addUser(form: Form, row: Row): Promise<void> {
  const { tables, realmId } = form;
  const id = Number(row['id']);
  if (row['password_hash'] !== null) form.leaveOut('hashes of passwords');
  if (row['is_system'] === true) {
    const [local = ''] = String(row['email']).split('@');
    const email = `${local}@zulip.com`;
    await tables.add('zerver_userprofile_crossrealm', { id, email, recipient_id: form.recipientOf(id) });
    return;
  }
  const bot = row['bot_type'];
  const avatar = row['avatar_path'];
  if (typeof avatar === 'string') form.avatars.set(avatar, id);
  await tables.add('zerver_userprofile', {
    id,
    realm: realmId,
    delivery_email: row['email'],
    email: row['email'],
    full_name: row['full_name'],
    date_joined: secondsOf(row['joined_at']),
    is_active: row['is_active'],
    is_bot: bot !== null,
    bot_type: bot,
    bot_owner: row['bot_owner_id'],
    role: row['role'],
    timezone: row['timezone'],
    avatar_source: avatar === null ? 'G' : 'U',
    avatar_version: row['avatar_version'],
    is_staff: false,
    is_billing_admin: false,
    is_mirror_dummy: false,
    long_term_idle: false,
    last_active_message_id: null,
    last_login: null,
    last_reminder: null,
    can_forge_sender: row['can_forge_sender'],
    can_create_users: row['can_create_users'],
    can_change_user_emails: row['can_change_user_emails'],
    default_sending_stream: row['default_sending_channel_id'],
    default_events_register_stream: row['default_events_channel_id'],
    default_all_public_streams: row['default_all_public_channels'],
    recipient: form.recipientOf(id),
    groups: [],
    user_permissions: [],
    ...settingColumns(row['settings'] as object),
    email_address_visibility: row['email_visibility'],
  });
  await addPersonal(form, id, row);
}

async function addPersonal(form: Form, id: number, row: Row): Promise<void> {
  const { tables } = form;
  const recipient = form.recipientOf(id);
  await tables.add('zerver_recipient', { id: recipient, type: 1, type_id: id });
  const isActive = row['is_active'] === true;
  await addSubscription(form, { user_profile: id, recipient, active: true, is_user_active: isActive });
  const named = (row['group_ids'] as readonly number[]).map(Number);
  const ofRole = model.permissions
    .systemGroupsOf({ role: Number(row['role']), isFullMember: row['is_full_member'] === true })
    .map((name) => form.systemGroups.get(name) ?? 0);
  for (const group of [...named, ...ofRole]) await addMembership(form, group, id);
  if (typeof row['last_active_on'] === 'string') {
    await tables.add('zerver_useractivity', {
      id: form.nextId('zerver_useractivity'),
      user_profile: id,
      client: await form.client('website'),
      query: 'get_events',
      count: 1,
      last_visit: secondsOf(`${row['last_active_on']}T00:00:00+00:00`),
    });
  }
}
