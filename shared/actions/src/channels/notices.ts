import type { Tx, ChannelRow } from '@parley/db';
import type { Actor } from '@parley/model';
import * as model from '@parley/model';
import { type PendingEvent, limits } from '@parley/protocol';
import type { NoticeTexts } from '@parley/strings';

import { type NoticeWriter, noticeEvents } from '../messages/index.ts';
import type { JoinResult } from './subscriptions/join.ts';

/** Returns events of a notice in a channel about what the actor did to it. */
export const channelNotice = (
  tx: Tx,
  actor: Actor,
  channel: ChannelRow,
  write: NoticeWriter,
): Promise<PendingEvent[]> => {
  const place = { channel, topic: (text: NoticeTexts) => text.channel.topic };
  return noticeEvents(tx, actor.realm, place, write, { readBy: [actor.id] });
};

export const creationNotice = (tx: Tx, actor: Actor, channel: ChannelRow) =>
  channelNotice(
    tx,
    actor,
    channel,
    (text) =>
      `${text.channel.created(model.messages.silentMention(actor), privacyName(channel, text))}\n\n${quotedDescription(channel.description, text)}`,
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
  return await noticeEvents(
    tx,
    actor.realm,
    { channel: announcements.channel, topic: (text) => text.channel.topicNew },
    (text) => text.channel.announced(announced.length, model.messages.silentMention(actor), names),
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
    const who = model.messages.silentMention(actor);
    const write: NoticeWriter = ({ channel: text }) =>
      links.length === 1
        ? text.subscribed(who, links.join())
        : `${text.subscribedToMany(who)}\n\n* ${links.join('\n* ')}`;
    events.push(...(await noticeEvents(tx, actor.realm, { users: [id] }, write)));
  }
  return { isSent: true, events };
}

const channelLink = ({ name }: ChannelRow) => `#**${name}**`;

/** Returns the kind of a channel's privacy, as notices name it. */
export function privacyName(
  { isPrivate, isWebPublic, sharesHistory }: ChannelRow,
  { channel: { privacy } }: NoticeTexts,
): string {
  if (isWebPublic) return privacy.web;
  if (!isPrivate) return privacy.public;
  return sharesHistory ? privacy.shared : privacy.protected;
}

export const quotedDescription = (description: string, { channel }: NoticeTexts) =>
  description === '' ? channel.noDescription : `> ${description}`;
