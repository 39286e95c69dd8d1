import { type Tx, tables, type UserRow } from '@parley/db';
import { type PendingEvent, to, events, type BotChange } from '@parley/protocol';
import { and, eq, lte, isNull } from 'drizzle-orm';

import { botOwnershipAccessEvents } from '../access-changes/events.ts';
import { toAudience, userAudience } from '../access/user-audiences.ts';
import type { Actor } from '../actor.ts';
import type { Rules } from '../permissions/rules.ts';
import { presentBot } from './present.ts';

/** People who see every bot's settings and key. */
async function listBotAdministrators(tx: Tx, realmId: number): Promise<number[]> {
  const { users } = tables;
  const these = and(eq(users.realmId, realmId), users.isActive, lte(users.role, 200), isNull(users.botType));
  return (await tx.select({ id: users.id }).from(users).where(these)).map(({ id }) => id);
}

const botAudience = async (tx: Tx, bot: UserRow) => [
  ...(await listBotAdministrators(tx, bot.realmId)),
  ...(bot.botOwnerId === null ? [] : [bot.botOwnerId]),
];

export const botAddedEvent = async (tx: Tx, bot: UserRow): Promise<PendingEvent> =>
  to.users(await botAudience(tx, bot), events.realmBot.add({ bot: await presentBot(tx, bot) }));

/** Tells of a change to those who see the bot's settings. */
export const botUpdatedEvent = async (
  tx: Tx,
  bot: UserRow,
  change: Omit<BotChange, 'user_id'>,
): Promise<PendingEvent> =>
  to.users(await botAudience(tx, bot), events.realmBot.update({ bot: { user_id: bot.id, ...change } }));

/** A bot goes from one owner to another: administrators see it change, others see it go or come. */
export async function realmBotOwnerEvents(tx: Tx, before: UserRow, after: UserRow): Promise<PendingEvent[]> {
  const keepers = await listBotAdministrators(tx, after.realmId);
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

/** Drafts for a bot that has another owner: those who keep bots first, then everyone who sees it. */
export async function botOwnershipEvents(
  tx: Tx,
  { realm }: Pick<Actor, 'realm'>,
  before: UserRow,
  after: UserRow,
  rules: Rules,
): Promise<PendingEvent[]> {
  if (after.botOwnerId === null) return [];
  const person = { user_id: after.id, bot_owner_id: after.botOwnerId };
  const owners = [before.botOwnerId, after.botOwnerId] as const;
  const { gains, losses } = await botOwnershipAccessEvents(tx, realm, rules, after, owners);
  return [
    ...gains,
    ...(await realmBotOwnerEvents(tx, before, after)),
    toAudience(events.realmUser.update({ person }), await userAudience(tx, realm, after, rules)),
    ...losses,
  ];
}
