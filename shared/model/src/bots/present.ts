import { type Tx, type UserRow, tables } from '@parley/db';
import type { LoggedBot } from '@parley/protocol';
import { and } from 'drizzle-orm';

import { maySeeChannel } from '../access/channel-permissions.ts';
import { listNamedChannels } from '../access/channels.ts';
import type { Actor } from '../actor.ts';
import { isAmong } from '../ids.ts';
import { getRules } from '../permissions/rules.ts';
import { avatarUrl } from '../users/present.ts';

/**
 * Returns bots with the names of their channels and their services, as log entries contain them. Their order is kept.
 */
export async function presentBots(tx: Tx, bots: UserRow[]): Promise<LoggedBot[]> {
  if (bots.length === 0) return [];
  const { channels, botServices } = tables;
  const realmIds = [...new Set(bots.map(({ realmId }) => realmId))];
  const channelIds = bots.flatMap((bot) => [
    bot.defaultSendingChannelId ?? 0,
    bot.defaultEventsChannelId ?? 0,
  ]);
  const named = await tx
    .select({ id: channels.id, name: channels.name })
    .from(channels)
    .where(and(isAmong(channels.realmId, realmIds), isAmong(channels.id, channelIds)));
  const nameOf = new Map(named.map(({ id, name }) => [id, name]));
  const services = await tx
    .select()
    .from(botServices)
    .where(
      and(
        isAmong(botServices.realmId, realmIds),
        isAmong(
          botServices.botId,
          bots.map(({ id }) => id),
        ),
      ),
    );
  return bots.map((bot) => ({
    user_id: bot.id,
    full_name: bot.fullName,
    email: bot.email,
    bot_type: bot.botType ?? 0,
    is_active: bot.isActive,
    key_generation: bot.keyGeneration,
    avatar_url: avatarUrl(bot),
    default_sending_stream: nameOf.get(bot.defaultSendingChannelId ?? 0) ?? null,
    default_events_register_stream: nameOf.get(bot.defaultEventsChannelId ?? 0) ?? null,
    default_all_public_streams: bot.defaultAllPublicChannels,
    owner_id: bot.botOwnerId,
    services: services
      .filter(({ botId }) => botId === bot.id)
      .map(({ baseUrl, interface: kind, token }) => ({ base_url: baseUrl, interface: kind, token })),
  }));
}

/** Returns the bots with the names of those channels alone that the viewer may see. */
export async function hideChannelNames(tx: Tx, viewer: Actor, bots: LoggedBot[]): Promise<LoggedBot[]> {
  const names = bots.flatMap((bot) => [
    bot.default_sending_stream ?? [],
    bot.default_events_register_stream ?? [],
  ]);
  const rules = await getRules(tx, viewer.realm.id);
  const named = await listNamedChannels(tx, viewer, names.flat());
  const visible = new Set(
    named.filter((access) => maySeeChannel(viewer, access, rules)).map(({ channel }) => channel.name),
  );
  const ifVisible = (name: string | null) => (name !== null && visible.has(name) ? name : null);
  return bots.map((bot) => ({
    ...bot,
    default_sending_stream: ifVisible(bot.default_sending_stream),
    default_events_register_stream: ifVisible(bot.default_events_register_stream),
  }));
}

export async function presentBot(tx: Tx, bot: UserRow): Promise<LoggedBot> {
  const [presented] = await presentBots(tx, [bot]);
  if (!presented) throw new Error('A bot was not presented.');
  return presented;
}
