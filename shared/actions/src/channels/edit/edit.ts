import type { Tx, ChannelRow } from '@parley/db';
import { parseOptional, parseChannelName, parseChannelDescription, type Actor } from '@parley/model';
import * as model from '@parley/model';
import type { ActionResult, PendingEvent } from '@parley/protocol';

import type { NoticeWriter } from '../../messages/index.ts';
import { unarchive } from '../archive.ts';
import { channelNotice } from '../notices.ts';
import { type DetailChanges, editDetails } from './details.ts';
import { lockForEditing, saveChannel } from './editing.ts';
import { type PermissionChanges, editPermissions } from './permissions.ts';
import { type PrivacyChanges, editPrivacy } from './privacy.ts';

export interface ChannelChanges extends DetailChanges, PrivacyChanges {
  channelId: number;
  /** Whether the channel is brought back from the archive. */
  isRestored?: boolean;
  permissions: PermissionChanges;
}

/**
 * Changes a channel. Each kind of change makes its own events, as if the changes had come one after the other.
 *
 * @throws BAD_REQUEST for a channel that the actor may not see or administer, an invalid value, or a change that the
 * actor may not make
 * @throws CHANNEL_ALREADY_EXISTS when another channel has the name
 * @throws UNAUTHORIZED_PRINCIPAL for a retention time, for anyone but owners
 * @throws SYSTEM_GROUP_REQUIRED for a permission that only system groups may have
 * @throws EXPECTATION_MISMATCH when a permission is not what the client expects
 */
export async function edit(
  tx: Tx,
  { actor, ...input }: { actor: Actor } & ChannelChanges,
): Promise<ActionResult> {
  const changes = {
    ...input,
    name: parseOptional(input.name, parseChannelName),
    description: parseOptional(input.description, parseChannelDescription),
  };
  const context = await lockForEditing(tx, actor, changes.channelId, {
    name: changes.name,
    namesGroups: Object.keys(changes.permissions).length > 0,
  });
  const { access } = context;
  let { channel } = access;
  const events: PendingEvent[] = [];
  const notices: NoticeWriter[] = [];
  const edits = [
    (current: ChannelRow) => (changes.isRestored ? unarchive(tx, context, current) : null),
    (current: ChannelRow) => editPrivacy(tx, context, current, changes),
    (current: ChannelRow) => editDetails(tx, context, current, changes),
    (current: ChannelRow) => editPermissions(tx, context, current, changes.permissions),
  ];
  for (const applyTo of edits) {
    const result = await applyTo(channel);
    if (!result) continue;
    channel = result.channel;
    events.push(...result.events);
    notices.push(...(result.notices ?? []));
  }
  if (events.length === 0 && channel.isDefault === access.channel.isDefault) {
    return { events: [] };
  }
  await saveChannel(tx, channel);
  if (channel.isDefault !== access.channel.isDefault)
    events.push(await model.defaultChannels.defaultChannelsEvent(tx, actor.realm));
  // Nobody writes in an archived channel.
  if (!channel.isArchived) {
    for (const write of notices) events.push(...(await channelNotice(tx, actor, channel, write)));
  }
  return { events, changesRules: true };
}
edit.actionName = 'channels.edit' as const;
