import { parseFullName, parseUserGroupName } from '@parley/model';
import * as model from '@parley/model';
import {
  TimeZone,
  authenticationMethods,
  botTypes,
  limits,
  realmGroupSettings,
  realmSettings,
  roles,
  userGroupSettings,
  userSettings,
} from '@parley/protocol';
import { z } from 'zod';

import { allOf, isSystemName, someOf } from './permissions.ts';
import {
  bigId,
  count,
  day,
  emojiFile,
  generation,
  html,
  id,
  ids,
  like,
  parsed,
  picturePath,
  sortedIds,
  stillFile,
  text,
  time,
  webUrl,
} from './values.ts';

const Role = z.literal(Object.values(roles));
const Email = z.email().max(254);

interface Setting {
  schema: z.ZodType;
  /** A value that this server cannot put into effect. */
  refused?: { value: unknown };
}

/** Returns a schema of settings that differ from the defaults. Those that the server no longer has are left out. */
const someSettings = (settings: Readonly<Record<string, Setting>>) =>
  z
    .object(
      Object.fromEntries(
        Object.entries(settings).map(([name, { schema, refused }]) => [
          name,
          refused ? schema.refine((value) => value !== refused.value) : schema,
        ]),
      ),
    )
    .partial();

const { email_address_visibility: visibility, ...storedUserSettings } = userSettings;

export const realms = z.strictObject({
  id,
  name: text(limits.realmSubdomainLength),
  display_name: text(limits.realmNameLength),
  description: text(limits.realmDescriptionLength),
  rendered_description: html,
  created_at: time,
  is_active: z.boolean(),
  members_conversation_id: bigId,
  upload_quota_mib: count.nullable(),
  icon_path: picturePath,
  icon_version: generation,
  logo_path: picturePath,
  logo_version: generation,
  night_logo_path: picturePath,
  night_logo_version: generation,
  settings: someSettings(realmSettings),
  group_settings: someOf(realmGroupSettings),
  authentication_methods: z.partialRecord(z.enum(authenticationMethods), z.boolean()),
  user_defaults: someSettings(userSettings),
});

/**
 * The only hashes of passwords that this server makes. One that asks for more memory or time would cost the server as much
 * with every attempt to sign in.
 */
const passwordHash = like(
  /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/,
).nullable();

const systemBotAddress = /^(?:notification|welcome)-bot@/;

export const users = z
  .strictObject({
    id,
    realm_id: id,
    email: Email,
    full_name: parsed(parseFullName),
    role: Role,
    is_full_member: z.boolean(),
    group_ids: sortedIds(limits.userGroupsPerRealm),
    is_active: z.boolean(),
    bot_type: z.literal(Object.values(botTypes)).nullable(),
    bot_owner_id: id.nullable(),
    password_hash: passwordHash,
    key_generation: generation,
    email_visibility: visibility.schema,
    timezone: TimeZone,
    avatar_version: generation,
    settings: someSettings(storedUserSettings),
    is_system: z.boolean(),
    avatar_path: picturePath,
    last_active_on: day.nullable(),
    can_create_users: z.boolean(),
    can_change_user_emails: z.boolean(),
    can_forge_sender: z.boolean(),
    default_sending_channel_id: id.nullable(),
    default_events_channel_id: id.nullable(),
    default_all_public_channels: z.boolean(),
    joined_at: time,
  })
  .refine(({ bot_type, bot_owner_id, password_hash }) =>
    bot_type === null ? bot_owner_id === null : password_hash === null,
  )
  .refine(
    ({ is_system, bot_type, bot_owner_id, role, email, is_active }) =>
      !is_system ||
      (bot_type === botTypes.generic &&
        bot_owner_id === null &&
        role === roles.member &&
        is_active &&
        systemBotAddress.test(email)),
  );

export const user_groups = z
  .strictObject({
    id,
    realm_id: id,
    name: text(limits.userGroupNameLength),
    description: text(limits.userGroupDescriptionLength),
    is_system: z.boolean(),
    is_deactivated: z.boolean(),
    creator_id: id.nullable(),
    created_at: time.nullable(),
    group_settings: allOf(userGroupSettings).nullable(),
  })
  .refine(({ is_system, name, is_deactivated, group_settings }) =>
    is_system
      ? isSystemName(name) && !is_deactivated && group_settings === null
      : parsed(parseUserGroupName).safeParse(name).success && group_settings !== null,
  );

export const user_group_subgroups = z.strictObject({ realm_id: id, group_id: id, subgroup_id: id });

export const realm_emoji = z.strictObject({
  id,
  realm_id: id,
  name: like(/^[a-z0-9_-]*[a-z0-9]$/).max(limits.emojiLength),
  author_id: id.nullable(),
  path: emojiFile,
  still_path: stillFile.nullable(),
  is_deactivated: z.boolean(),
});

export const realm_domains = z.strictObject({
  id,
  realm_id: id,
  domain: parsed(model.realmDomains.parseRealmDomain),
  allow_subdomains: z.boolean(),
});

/** The formats of requests to the service of a bot: the server's own, and Slack's. */
const formats = [1, 2] as const;

export const bot_services = z.strictObject({
  bot_id: id,
  // Null where the address of a bot was changed that had none, and never said.
  base_url: z.union([webUrl, z.literal('')]),
  interface: z.literal(formats),
  token: like(/^[0-9a-f]{32}$/),
  failures: count,
  paused_until: time.nullable(),
});

export const presences = z.strictObject({
  user_id: id,
  realm_id: id,
  active_at: time.nullable(),
  idle_at: time.nullable(),
  update_id: bigId,
});

export const invitations = z.strictObject({
  id: bigId,
  realm_id: id,
  inviter_id: id,
  email: Email.nullable(),
  link_id: bigId.nullable(),
  role: Role,
  channel_ids: ids(limits.principalsPerRequest),
  group_ids: ids(limits.groupsPerInvitation),
  includes_defaults: z.boolean(),
  notifies_inviter: z.boolean(),
  status: z.enum(['pending', 'accepted', 'revoked']),
  created_at: time,
  expires_at: time.nullable(),
  mails: z.int().min(0).max(limits.mailsPerInvitation),
  welcome_text: text(limits.welcomeTextLength).nullable(),
});
