import type { Tx, ChannelRow } from '@parley/db';
import { parseOptional, parseChannelName, parseChannelDescription } from '@parley/model';
import { type Actor, defaultChannelsEvent } from '@parley/model';
import type { ActionResult, PendingEvent } from '@parley/protocol';

import { unarchive } from '../archive.ts';
import { channelNotice } from '../notices.ts';
import { type DetailChanges, editDetails } from './details.ts';
import { lockForEditing, saveChannel } from './editing.ts';
import { type PermissionChanges, editPermissions } from './permissions.ts';
import { type PrivacyChanges, editPrivacy } from './privacy.ts';

export interface ChannelChanges extends DetailChanges, PrivacyChanges {
  channelId: number;
  /** Brings it back from the archive. */
  isRestored?: boolean;
  permissions: PermissionChanges;
}

/** Changes a channel. Each kind of change is told by itself, as if they had come one after the other. */
export async function edit(tx: Tx, actor: Actor, input: ChannelChanges): Promise<ActionResult> {
  const changes = {
    ...input,
    name: parseOptional(input.name, parseChannelName),
    description: parseOptional(input.description, parseChannelDescription),
  };
  const editing = await lockForEditing(tx, actor, changes.channelId, changes.name);
  const { access } = editing;
  let { channel } = access;
  const events: PendingEvent[] = [];
  const notices: string[] = [];
  const steps = [
    (now: ChannelRow) => (changes.isRestored ? unarchive(tx, editing, now) : null),
    (now: ChannelRow) => editPrivacy(tx, editing, now, changes),
    (now: ChannelRow) => editDetails(tx, editing, now, changes),
    (now: ChannelRow) => editPermissions(tx, editing, now, changes.permissions),
  ];
  for (const take of steps) {
    const step = await take(channel);
    if (!step) continue;
    channel = step.channel;
    events.push(...step.events);
    notices.push(...(step.notices ?? []));
  }
  if (events.length === 0 && channel.isDefault === access.channel.isDefault) {
    return { events: [], keepsRules: true };
  }
  await saveChannel(tx, channel);
  if (channel.isDefault !== access.channel.isDefault)
    events.push(await defaultChannelsEvent(tx, actor.realm));
  // Nobody writes in an archived channel.
  if (!channel.isArchived) {
    for (const text of notices) events.push(...(await channelNotice(tx, actor, channel, text)));
  }
  return { events };
}
