import { type Tx, tables } from '@parley/db';
import { ApiError } from '@parley/protocol';
import { and, asc, eq } from 'drizzle-orm';

import { type Actor, isAdministrator } from '../actor.ts';
import { getReadableChannel } from '../channels/find.ts';
import { type UserRow, listUsers } from '../users/find.ts';

const { users } = tables;

/** A bot that the actor owns, or that they may see to as an administrator. */
export async function getBot(tx: Tx, actor: Actor, id: number): Promise<UserRow> {
  const [bot] = await listUsers(tx, actor.realm.id, [id]);
  if (!bot || bot.botType === null || bot.isSystem) throw new ApiError('BAD_REQUEST', 'No such bot');
  if (bot.botOwnerId !== actor.id && !isAdministrator(actor)) {
    throw new ApiError('BAD_REQUEST', 'Insufficient permission');
  }
  return bot;
}

/** The bots that a user owns and that are in use, by age. */
export async function listOwnBots(tx: Tx, actor: Actor): Promise<UserRow[]> {
  const own = and(eq(users.botOwnerId, actor.id), eq(users.realmId, actor.realm.id), users.isActive);
  return await tx.select().from(users).where(own).orderBy(asc(users.joinedAt), asc(users.id));
}

/** The channel that a bot is given: one that the giver may read. Empty for none. */
export async function findDefaultChannel(tx: Tx, actor: Actor, name: string): Promise<number | null> {
  return name === '' ? null : (await getReadableChannel(tx, actor, name)).channel.id;
}

/** What a bot does when it does not say. */
export async function findDefaults(tx: Tx, actor: Actor) {
  const [bot] = await listUsers(tx, actor.realm.id, [actor.id]);
  return {
    sendingChannelId: bot?.defaultSendingChannelId ?? null,
    eventsChannelId: bot?.defaultEventsChannelId ?? null,
    allPublicChannels: bot?.defaultAllPublicChannels ?? false,
  };
}

/** Refuses a bot's name that an active account has. */
export async function checkBotName(tx: Tx, realmId: number, name: string, exceptId = 0): Promise<void> {
  const same = and(eq(users.realmId, realmId), eq(users.fullName, name), users.isActive);
  const rows = await tx.select({ id: users.id }).from(users).where(same);
  if (rows.some(({ id }) => id !== exceptId)) throw new ApiError('BAD_REQUEST', 'Name is already in use.');
}
