import { type Tx, type UserRow, tables } from '@parley/db';
import { ApiError } from '@parley/protocol';
import { and, eq, asc } from 'drizzle-orm';

import { getReadableChannel } from '../access/channels.ts';
import { type Actor, isAdministrator } from '../actor.ts';
import { isOfUser } from '../ids.ts';
import { listUsers } from '../users/find.ts';

const { botStorage, users } = tables;

/** Under which key of a webhook's bot the secret is stored with which deliveries are signed. No bot reads it: these only write. */
export const integrationSecretKey = 'integration_secret';

/**
 * Returns a bot that the actor owns, or any bot if the actor is an administrator.
 *
 * @throws BAD_REQUEST if there is none, or the actor may not manage it
 */
export async function getBot(tx: Tx, actor: Actor, id: number): Promise<UserRow> {
  const [bot] = await listUsers(tx, actor.realm.id, [id]);
  if (!bot || bot.botType === null || bot.isSystem)
    throw new ApiError('BAD_REQUEST', 'This bot does not exist.');
  if (bot.botOwnerId !== actor.id && !isAdministrator(actor)) {
    throw new ApiError('BAD_REQUEST', 'You do not have permission to do this.');
  }
  return bot;
}

/** Returns the actor's active bots, oldest first. */
export async function listOwnBots(tx: Tx, actor: Actor): Promise<UserRow[]> {
  const own = and(eq(users.botOwnerId, actor.id), eq(users.realmId, actor.realm.id), users.isActive);
  return await tx.select().from(users).where(own).orderBy(asc(users.joinedAt), asc(users.id));
}

/**
 * Returns the id of a bot's default channel, by name; null for the empty name.
 *
 * @throws BAD_REQUEST for a channel that the actor may not read
 */
export async function resolveBotChannelId(tx: Tx, actor: Actor, name: string): Promise<number | null> {
  return name === '' ? null : (await getReadableChannel(tx, actor, name)).channel.id;
}

/** Returns the channels that a bot uses where a request of it names none. */
export async function getBotDefaults(tx: Tx, actor: Actor) {
  const [bot] = await listUsers(tx, actor.realm.id, [actor.id]);
  return {
    sendingChannelId: bot?.defaultSendingChannelId ?? null,
    eventsChannelId: bot?.defaultEventsChannelId ?? null,
    allPublicChannels: bot?.defaultAllPublicChannels ?? false,
  };
}

/** Returns the secret with which everything that an incoming-webhook bot takes has to be signed; null without one. */
export async function findIntegrationSecret(
  tx: Tx,
  bot: Pick<Actor, 'id' | 'realm'>,
): Promise<string | null> {
  const isSecret = and(isOfUser(botStorage, bot), eq(botStorage.key, integrationSecretKey));
  const [row] = await tx.select({ value: botStorage.value }).from(botStorage).where(isSecret);
  return row?.value ?? null;
}
