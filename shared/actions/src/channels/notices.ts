import type { Tx, ChannelRow } from '@parley/db';
import type { Actor } from '@parley/model';
import * as model from '@parley/model';
import { type PendingEvent, limits } from '@parley/protocol';

import { noticeEvents } from '../messages/index.ts';
import type { JoinResult } from './subscriptions/join.ts';

const eventsTopic = 'channel events';

const newChannelsTopic = 'new channels';

/** Returns events of a notice in a channel about what the actor did to it. */
export const channelNotice = (
  tx: Tx,
  actor: Actor,
  channel: ChannelRow,
  text: string,
): Promise<PendingEvent[]> =>
  noticeEvents(tx, actor.realm, { channel, topic: eventsTopic }, text, { readBy: [actor.id] });

export const creationNotice = (tx: Tx, actor: Actor, channel: ChannelRow) =>
  channelNotice(
    tx,
    actor,
    channel,
    `${model.messages.silentMention(actor)} created this channel. **${privacyName(channel)}.**\n\n${quotedDescription(channel.description)}`,
  );

/** Returns events of a notice about new channels, in the realm's channel for them. Private channels are left out. */
export async function announcementNotices(
  tx: Tx,
  actor: Actor,
  rules: model.permissions.Rules,
  channels: ChannelRow[],
): Promise<PendingEvent[]> {
  const announced = channels.filter(({ isPrivate }) => !isPrivate);
  const announcements = await model.access.findChannel(
    tx,
    actor,
    rules.settings.new_stream_announcements_stream_id,
  );
  if (!announcements || announcements.channel.isArchived || announced.length === 0) return [];
  const names = announced.map(channelLink).join(', ');
  const text =
    announced.length === 1
      ? `${model.messages.silentMention(actor)} created the channel ${names}.`
      : `${model.messages.silentMention(actor)} created these channels: ${names}.`;
  return await noticeEvents(
    tx,
    actor.realm,
    { channel: announcements.channel, topic: newChannelsTopic },
    text,
    {
      readBy: [actor.id],
    },
  );
}

/**
 * Returns events of direct notices to users whom the actor subscribed to channels that existed before. None is sent
 * when there would be more than the limit.
 */
export async function subscriptionNotices(
  tx: Tx,
  actor: Actor,
  joins: JoinResult[],
): Promise<{ isSent: boolean; events: PendingEvent[] }> {
  const channelsOf = new Map<number, ChannelRow[]>();
  for (const { channel, joined, isNew } of joins) {
    if (isNew) continue;
    for (const { id, botType } of joined) {
      if (id === actor.id || botType !== null) continue;
      channelsOf.set(id, [...(channelsOf.get(id) ?? []), channel]);
    }
  }
  if (channelsOf.size > limits.newSubscriptionMessages) return { isSent: false, events: [] };
  const events: PendingEvent[] = [];
  // They are sent in the order of ids, so that two transactions do not wait for each other's new conversations.
  for (const [id, channels] of [...channelsOf].sort(([a], [b]) => a - b)) {
    const links = channels.map(channelLink);
    const text =
      links.length === 1
        ? `${model.messages.silentMention(actor)} subscribed you to the channel ${links.join()}.`
        : `${model.messages.silentMention(actor)} subscribed you to these channels:\n\n* ${links.join('\n* ')}`;
    events.push(...(await noticeEvents(tx, actor.realm, { users: [id] }, text)));
  }
  return { isSent: true, events };
}

const channelLink = ({ name }: ChannelRow) => `#**${name}**`;

/** Returns the kind of a channel's privacy, as notices name it. */
export function privacyName({ isPrivate, isWebPublic, sharesHistory }: ChannelRow): string {
  if (isWebPublic) return 'Web-public';
  if (!isPrivate) return 'Public';
  return sharesHistory ? 'Private, shared history' : 'Private, protected history';
}

export const quotedDescription = (description: string) =>
  description === '' ? '*No description.*' : `> ${description}`;
