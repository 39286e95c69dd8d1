import { type Tx, type ChannelRow, tables } from '@parley/db';
import {
  type Actor,
  type Rules,
  mayCreateChannel,
  isAdministrator,
  parseGroupSetting,
  isSameSetting,
  isOwner,
  renderText,
} from '@parley/model';
import {
  type TopicsPolicy,
  type ChannelGroupSettings,
  ApiError,
  channelGroupNames,
  channelGroupSettings,
} from '@parley/protocol';
import { sql } from 'drizzle-orm';

import { lockActiveChannelFolder } from '../channel-folders/index.ts';

/** How a channel is to be. */
export interface NewChannelSettings {
  isPrivate: boolean;
  isWebPublic: boolean;
  sharesHistory: boolean;
  isDefault: boolean;
  /** Null: what the organization says. -1: for ever. */
  messageRetentionDays: number | null;
  topicsPolicy: TopicsPolicy;
  folderId: number | null;
  groupSettings: Partial<ChannelGroupSettings>;
}

export interface NewChannel extends Partial<NewChannelSettings> {
  name: string;
  description: string;
}

/** A channel of which nothing else was said. */
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

const notPermitted = () => badRequest('Insufficient permission');

/** Settings with every permission decided, if the actor may make a channel with them. */
export async function resolveNewSettings(
  tx: Tx,
  actor: Actor,
  rules: Rules,
  given: Partial<NewChannelSettings>,
): Promise<FullSettings> {
  const settings = { ...defaultSettings, ...given };
  const { isPrivate, isWebPublic, sharesHistory, isDefault, folderId } = settings;
  if ((isPrivate && isWebPublic) || (!isPrivate && !sharesHistory)) throw badRequest('Invalid parameters');
  if (isPrivate && isDefault) throw badRequest('A default channel cannot be private.');
  if (isWebPublic && !rules.settings.enable_spectator_access) {
    throw badRequest('Web-public channels are not enabled.');
  }
  if (!mayCreateChannel(actor, settings, rules)) throw notPermitted();
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
  rules: Rules,
  given: Partial<ChannelGroupSettings>,
) {
  const unchanged = defaultGroupSettings(actor, rules);
  const settings = { ...unchanged };
  for (const name of channelGroupNames) {
    const value = given[name];
    if (value === undefined) continue;
    const permission = channelGroupSettings[name];
    settings[name] = await parseGroupSetting(tx, actor.realm.id, rules, [name, permission], value);
    if (!isSameSetting(settings[name], unchanged[name])) assertMaySetPermission(actor, rules, name);
  }
  return settings;
}

/** The permissions of a channel that nobody has decided otherwise; some start out with whoever makes it. */
function defaultGroupSettings(actor: Actor, rules: Rules): ChannelGroupSettings {
  const creator = { direct_members: [actor.id], direct_subgroups: [] };
  return Object.fromEntries(
    Object.entries(channelGroupSettings).map(([name, { default: group }]) => [
      name,
      group === 'creator' ? creator : rules.groupId(group),
    ]),
    // Safe: an entry for each permission.
  ) as ChannelGroupSettings;
}

/** Who may delete messages is not for everyone who makes channels to say. */
export function assertMaySetPermission(actor: Actor, rules: Rules, name: keyof ChannelGroupSettings): void {
  const isAboutDeleting = name === 'can_delete_any_message_group' || name === 'can_delete_own_message_group';
  if (isAboutDeleting && !rules.may(actor, 'can_set_delete_message_policy_group')) throw notPermitted();
}

export function assertMaySetRetention(actor: Actor, days: number | null, before: number | null): void {
  if (days !== before && !isOwner(actor)) {
    throw new ApiError('UNAUTHORIZED_PRINCIPAL', 'Must be an organization owner');
  }
}

export function assertMaySetTopicsPolicy(actor: Actor, rules: Rules): void {
  if (!rules.may(actor, 'can_set_topics_policy_group')) throw notPermitted();
}

interface ChannelToInsert extends FullSettings {
  name: string;
  description: string;
}

/** The one way in which channels come about: the row and its conversation, with nobody in it. */
export async function insertChannel(tx: Tx, actor: Actor, channel: ChannelToInsert): Promise<ChannelRow> {
  const realmId = actor.realm.id;
  const [conversation] = await tx.insert(tables.conversations).values({ realmId }).returning();
  if (!conversation) throw new Error('An insert returned no row.');
  const renderedDescription = await renderText(tx, actor, channel.description);
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
