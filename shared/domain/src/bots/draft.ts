import { type Tx, tables } from '@parley/db';
import { type BotChange, type Draft, events, to } from '@parley/protocol';
import { and, eq, isNull, lte } from 'drizzle-orm';

import type { UserRow } from '../users/find.ts';
import { presentBot } from './present.ts';

/** People who see every bot's settings and key. */
async function listKeepers(tx: Tx, realmId: number): Promise<number[]> {
  const { users } = tables;
  const these = and(eq(users.realmId, realmId), users.isActive, lte(users.role, 200), isNull(users.botType));
  return (await tx.select({ id: users.id }).from(users).where(these)).map(({ id }) => id);
}

const watchersOf = async (tx: Tx, bot: UserRow) => [
  ...(await listKeepers(tx, bot.realmId)),
  ...(bot.botOwnerId === null ? [] : [bot.botOwnerId]),
];

export const draftOfNewBot = async (tx: Tx, bot: UserRow): Promise<Draft> =>
  to.users(await watchersOf(tx, bot), events.realmBot.add({ bot: await presentBot(tx, bot) }));

/** Tells of a change to those who see the bot's settings. */
export const draftOfBot = async (tx: Tx, bot: UserRow, change: Omit<BotChange, 'user_id'>): Promise<Draft> =>
  to.users(await watchersOf(tx, bot), events.realmBot.update({ bot: { user_id: bot.id, ...change } }));

/** A bot goes from one owner to another: administrators see it change, others see it go or come. */
export async function draftsOfOwner(tx: Tx, before: UserRow, after: UserRow): Promise<Draft[]> {
  const keepers = await listKeepers(tx, after.realmId);
  const isKeeper = (id: number) => keepers.includes(id);
  const [from, owner_id] = [before.botOwnerId, after.botOwnerId];
  const changed = events.realmBot.update({
    bot: { user_id: after.id, ...(owner_id !== null && { owner_id }) },
  });
  return [
    ...(from !== null && !isKeeper(from)
      ? [to.user({ id: from }, events.realmBot.delete({ bot: { user_id: after.id } }))]
      : []),
    ...(owner_id !== null && !isKeeper(owner_id)
      ? [to.user({ id: owner_id }, events.realmBot.add({ bot: await presentBot(tx, after) }))]
      : []),
    to.users(keepers, changed),
  ];
}
