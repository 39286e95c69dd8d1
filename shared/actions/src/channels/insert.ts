import { type Tx, type ChannelRow, tables } from '@parley/db';
import { type Actor, isAdministrator, isOwner } from '@parley/model';
import * as model from '@parley/model';
import {
  type TopicsPolicy,
  type ChannelGroupSettings,
  ApiError,
  channelGroupNames,
  channelGroupSettings,
} from '@parley/protocol';
import { sql } from 'drizzle-orm';

import { lockActiveChannelFolder } from '../channel-folders/index.ts';
import { lockUserGroups } from '../lock.ts';

/** Settings of a channel to be created. */
export interface NewChannelSettings {
  isPrivate: boolean;
  isWebPublic: boolean;
  sharesHistory: boolean;
  isDefault: boolean;
  /** Null means the organization's retention time, -1 means for ever. */
  messageRetentionDays: number | null;
  topicsPolicy: TopicsPolicy;
  folderId: number | null;
  groupSettings: Partial<ChannelGroupSettings>;
}

export interface NewChannel extends Partial<NewChannelSettings> {
  name: string;
  description: string;
}

/** Settings of a channel for which none are input. */
const defaultSettings: NewChannelSettings = {
  isPrivate: false,
  isWebPublic: false,
  sharesHistory: true,
  isDefault: false,
  messageRetentionDays: null,
  topicsPolicy: 'inherit',
  folderId: null,
  groupSettings: {},
};

interface FullSettings extends NewChannelSettings {
  groupSettings: ChannelGroupSettings;
}

const badRequest = (msg: string) => new ApiError('BAD_REQUEST', msg);

const notPermitted = () => badRequest('You do not have permission to do this.');

/**
 * Completes the settings and permissions of a new channel, if the actor may create it.
 *
 * @throws BAD_REQUEST for settings that do not go together, or that the actor may not give
 * @throws UNAUTHORIZED_PRINCIPAL for a retention time, for anyone but owners
 * @throws SYSTEM_GROUP_REQUIRED for a permission that only system groups may have
 */
export async function resolveNewSettings(
  tx: Tx,
  actor: Actor,
  rules: model.permissions.Rules,
  input: Partial<NewChannelSettings>,
): Promise<FullSettings> {
  const settings = { ...defaultSettings, ...input };
  const { isPrivate, isWebPublic, sharesHistory, isDefault, folderId } = settings;
  if ((isPrivate && isWebPublic) || (!isPrivate && !sharesHistory))
    throw badRequest(
      'A channel cannot be both private and web-public, and only a private channel can hide its history.',
    );
  if (isPrivate && isDefault) throw badRequest('A default channel cannot be private.');
  if (isWebPublic && !rules.settings.enable_spectator_access) {
    throw badRequest('Web-public channels are turned off in this organization.');
  }
  if (!model.access.mayCreateChannel(actor, settings, rules)) throw notPermitted();
  if (isDefault && !isAdministrator(actor)) throw notPermitted();
  assertMaySetRetention(actor, settings.messageRetentionDays, null);
  if (settings.topicsPolicy !== 'inherit') assertMaySetTopicsPolicy(actor, rules);
  if (folderId !== null) await lockActiveChannelFolder(tx, actor.realm.id, folderId);
  const { messageRetentionDays, topicsPolicy } = settings;
  return {
    isPrivate,
    isWebPublic,
    sharesHistory,
    isDefault,
    messageRetentionDays,
    topicsPolicy,
    folderId,
    groupSettings: await resolveGroupSettings(tx, actor, rules, settings.groupSettings),
  };
}

async function resolveGroupSettings(
  tx: Tx,
  actor: Actor,
  rules: model.permissions.Rules,
  input: Partial<ChannelGroupSettings>,
) {
  const unchanged = defaultGroupSettings(actor, rules);
  const settings = { ...unchanged };
  if (Object.keys(input).length > 0) await lockUserGroups(tx, actor.realm.id, 'shared');
  for (const name of channelGroupNames) {
    const value = input[name];
    if (value === undefined) continue;
    const permission = channelGroupSettings[name];
    settings[name] = await model.permissions.parseGroupSetting(tx, actor.realm.id, [name, permission], value);
    if (!model.permissions.isSameSetting(settings[name], unchanged[name]))
      assertMaySetPermission(actor, rules, name);
  }
  return settings;
}

/** The permissions of a channel for which none are input; some of them belong to its creator alone. */
function defaultGroupSettings(actor: Actor, rules: model.permissions.Rules): ChannelGroupSettings {
  const creator = { direct_members: [actor.id], direct_subgroups: [] };
  return Object.fromEntries(
    Object.entries(channelGroupSettings).map(([name, { default: group }]) => [
      name,
      group === 'creator' ? creator : rules.groupId(group),
    ]),
    // Safe: there is an entry for each permission.
  ) as ChannelGroupSettings;
}

/**
 * Refuses a permission about deleting messages to an actor who may not set it.
 *
 * @throws BAD_REQUEST without the realm's permission for that
 */
export function assertMaySetPermission(
  actor: Actor,
  rules: model.permissions.Rules,
  name: keyof ChannelGroupSettings,
): void {
  const isAboutDeleting = name === 'can_delete_any_message_group' || name === 'can_delete_own_message_group';
  if (isAboutDeleting && !rules.may(actor, 'can_set_delete_message_policy_group')) throw notPermitted();
}

/** @throws UNAUTHORIZED_PRINCIPAL for a change of the retention time, for anyone but owners */
export function assertMaySetRetention(actor: Actor, days: number | null, before: number | null): void {
  if (days !== before && !isOwner(actor)) {
    throw new ApiError('UNAUTHORIZED_PRINCIPAL', 'Only owners of the organization can do this.');
  }
}

/** @throws BAD_REQUEST without the permission to set topics policies */
export function assertMaySetTopicsPolicy(actor: Actor, rules: model.permissions.Rules): void {
  if (!rules.may(actor, 'can_set_topics_policy_group')) throw notPermitted();
}

interface ChannelToInsert extends FullSettings {
  name: string;
  description: string;
}

/** Inserts a channel with its conversation, without members. There is no other way to create one. */
export async function insertChannel(tx: Tx, actor: Actor, channel: ChannelToInsert): Promise<ChannelRow> {
  const realmId = actor.realm.id;
  const [conversation] = await tx.insert(tables.conversations).values({ realmId }).returning();
  if (!conversation) throw new Error('An insert returned no row.');
  const renderedDescription = await model.texts.renderText(tx, actor, channel.description);
  await tx.execute(sql`select create_conversation_head(${realmId}, ${conversation.id})`);
  const [row] = await tx
    .insert(tables.channels)
    .values({
      ...channel,
      renderedDescription,
      realmId,
      conversationId: conversation.id,
      creatorId: actor.id,
    })
    .returning();
  if (!row) throw new Error('An insert returned no row.');
  return row;
}
