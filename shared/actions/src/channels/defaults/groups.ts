import { tables, type Tx, type DefaultChannelGroupRow, type ChannelRow } from '@parley/db';
import {
  parseDefaultChannelGroupName,
  parseChannelDescription,
  parseOptional,
  type Actor,
  isId,
  hasId,
} from '@parley/model';
import * as model from '@parley/model';
import { ApiError, type ActionResult } from '@parley/protocol';
import { eq, sql, and } from 'drizzle-orm';

import { lockDefaults } from '../lock.ts';

const { defaultChannelGroups } = tables;

const badRequest = (msg: string) => new ApiError('BAD_REQUEST', msg);

export interface NewDefaultGroup {
  name: string;
  description: string;
  /** Names of channels. */
  channels: string[];
}

/**
 * Creates a default channel group: a named set of channels that new users may choose.
 *
 * @throws UNAUTHORIZED_PRINCIPAL for anyone but administrators
 * @throws BAD_REQUEST for an invalid name or description, a name that another group has, or channels that the actor may
 * not see or that are default channels
 */
export async function createDefaultGroup(
  tx: Tx,
  { actor, channels, ...input }: { actor: Actor } & NewDefaultGroup,
): Promise<ActionResult> {
  model.permissions.assertAdministrator(actor);
  const name = parseDefaultChannelGroupName(input.name);
  const description = parseChannelDescription(input.description);
  await lockDefaults(tx, actor.realm);
  await assertNameIsFree(tx, actor.realm.id, name);
  const listed = await getListableChannels(tx, actor, name, channels);
  await tx.insert(defaultChannelGroups).values({
    realmId: actor.realm.id,
    name,
    description,
    channelIds: listed.map(({ id }) => id),
  });
  return await groupsChanged(tx, actor);
}
createDefaultGroup.actionName = 'channels.createDefaultGroup' as const;

export interface DefaultGroupEdit {
  id: number;
  name?: string | undefined;
  description?: string | undefined;
}

/**
 * Changes the name or the description of a default channel group.
 *
 * @throws UNAUTHORIZED_PRINCIPAL for anyone but administrators
 * @throws BAD_REQUEST for a group that does not exist, an invalid name or description, or a name that it or another has
 */
export async function editDefaultGroup(
  tx: Tx,
  { actor, id, ...input }: { actor: Actor } & DefaultGroupEdit,
): Promise<ActionResult> {
  model.permissions.assertAdministrator(actor);
  const name = parseOptional(input.name, parseDefaultChannelGroupName);
  const description = parseOptional(input.description, parseChannelDescription);
  await lockDefaults(tx, actor.realm);
  const group = await getGroup(tx, actor.realm.id, id);
  if (name !== undefined) {
    if (name === group.name) throw badRequest(`This default channel group is already called '${name}'.`);
    await assertNameIsFree(tx, actor.realm.id, name);
  }
  const set = { name: name ?? group.name, description: description ?? group.description };
  await tx
    .update(defaultChannelGroups)
    .set(set)
    .where(hasId(defaultChannelGroups, actor.realm, group.id));
  return await groupsChanged(tx, actor);
}
editDefaultGroup.actionName = 'channels.editDefaultGroup' as const;

/**
 * Removes a default channel group.
 *
 * @throws UNAUTHORIZED_PRINCIPAL for anyone but administrators
 * @throws BAD_REQUEST for a group that does not exist
 */
export async function removeDefaultGroup(
  tx: Tx,
  { actor, id }: { actor: Actor; id: number },
): Promise<ActionResult> {
  model.permissions.assertAdministrator(actor);
  await lockDefaults(tx, actor.realm);
  const group = await getGroup(tx, actor.realm.id, id);
  await tx.delete(defaultChannelGroups).where(hasId(defaultChannelGroups, actor.realm, group.id));
  return await groupsChanged(tx, actor);
}
removeDefaultGroup.actionName = 'channels.removeDefaultGroup' as const;

export interface DefaultGroupChannels {
  id: number;
  op: 'add' | 'remove';
  /** Names of channels. */
  channels: string[];
}

/**
 * Adds channels to a default channel group, or removes them.
 *
 * @throws UNAUTHORIZED_PRINCIPAL for anyone but administrators
 * @throws BAD_REQUEST for a group that does not exist; for channels that the actor may not see, that are default
 * channels, that are in the group already, or that are not in it
 */
export async function changeDefaultGroupChannels(
  tx: Tx,
  { actor, id, op, channels }: { actor: Actor } & DefaultGroupChannels,
): Promise<ActionResult> {
  model.permissions.assertAdministrator(actor);
  await lockDefaults(tx, actor.realm);
  const group = await getGroup(tx, actor.realm.id, id);
  const before = group.channelIds;
  const after =
    op === 'add'
      ? await idsAfterAdding(tx, actor, group, channels)
      : await idsAfterRemoving(tx, actor, group, channels);
  if (after.length === before.length) return { events: [] };
  await tx
    .update(defaultChannelGroups)
    .set({ channelIds: after })
    .where(hasId(defaultChannelGroups, actor.realm, group.id));
  return await groupsChanged(tx, actor);
}
changeDefaultGroupChannels.actionName = 'channels.changeDefaultGroupChannels' as const;

async function idsAfterAdding(
  tx: Tx,
  actor: Actor,
  group: DefaultChannelGroupRow,
  names: string[],
): Promise<number[]> {
  const listed = await getListableChannels(tx, actor, group.name, names);
  const present = listed.find((channel) => group.channelIds.includes(channel.id));
  if (present) {
    throw badRequest(
      `The default channel group '${group.name}' already contains the channel '${present.name}'.`,
    );
  }
  return [...group.channelIds, ...listed.map((channel) => channel.id)].sort((a, b) => a - b);
}

async function idsAfterRemoving(
  tx: Tx,
  actor: Actor,
  group: DefaultChannelGroupRow,
  names: string[],
): Promise<number[]> {
  const removed: number[] = [];
  for (const name of names) {
    const { channel } = await model.access.getVisibleChannel(tx, actor, name);
    if (!group.channelIds.includes(channel.id)) {
      throw badRequest(
        `The default channel group '${group.name}' does not contain the channel '${channel.name}'.`,
      );
    }
    removed.push(channel.id);
  }
  return group.channelIds.filter((channelId) => !removed.includes(channelId));
}

/** Removes an archived channel from all groups. True if it was in one. */
export async function removeFromDefaultGroups(tx: Tx, realmId: number, channelId: number): Promise<boolean> {
  const rows = await tx
    .update(defaultChannelGroups)
    .set({ channelIds: sql`array_remove(${defaultChannelGroups.channelIds}, ${channelId}::int)` })
    .where(
      and(
        eq(defaultChannelGroups.realmId, realmId),
        sql`${channelId}::int = any(${defaultChannelGroups.channelIds})`,
      ),
    )
    .returning({ id: defaultChannelGroups.id });
  return rows.length > 0;
}

async function groupsChanged(tx: Tx, actor: Actor): Promise<ActionResult> {
  return {
    events: [await model.defaultChannels.defaultChannelGroupsEvent(tx, actor.realm)],
  };
}

async function assertNameIsFree(tx: Tx, realmId: number, name: string): Promise<void> {
  const hasName = and(eq(defaultChannelGroups.realmId, realmId), eq(defaultChannelGroups.name, name));
  const [other] = await tx.select().from(defaultChannelGroups).where(hasName);
  if (other) throw badRequest(`There is already a default channel group called '${name}'.`);
}

async function getGroup(tx: Tx, realmId: number, id: number): Promise<DefaultChannelGroupRow> {
  const isGroup = hasId(defaultChannelGroups, { id: realmId }, id);
  const [group] = isId(id) ? await tx.select().from(defaultChannelGroups).where(isGroup) : [];
  if (!group) throw badRequest(`There is no default channel group with the id ${id}.`);
  return group;
}

/** Channels by name that may be in a group: visible to the actor, not archived, and no default channels. */
async function getListableChannels(
  tx: Tx,
  actor: Actor,
  groupName: string,
  names: string[],
): Promise<ChannelRow[]> {
  const defaults = new Set(
    (await model.defaultChannels.listDefaultChannels(tx, actor.realm.id)).map(({ id }) => id),
  );
  const listable = new Map<number, ChannelRow>();
  for (const name of names) {
    const { channel } = await model.access.getVisibleChannel(tx, actor, name);
    if (channel.isArchived) throw badRequest(`There is no channel called '${name}'.`);
    if (defaults.has(channel.id)) {
      throw badRequest(
        `'${channel.name}' is a default channel already, so it cannot be added to '${groupName}'.`,
      );
    }
    listable.set(channel.id, channel);
  }
  return [...listable.values()].sort((a, b) => a.id - b.id);
}
