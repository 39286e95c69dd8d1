import type { Tx, UserRow } from '@parley/db';
import { type PendingEvent, to, events, type BotChange } from '@parley/protocol';

import { botOwnershipAccessEvents } from '../access-changes/events.ts';
import { toAudience, userAudience } from '../access/user-audiences.ts';
import type { Actor } from '../actor.ts';
import type { Rules } from '../permissions/rules.ts';
import { listAdministratorIds } from '../users/administrators.ts';
import { presentBot } from './present.ts';

const botAudience = async (tx: Tx, bot: UserRow) => [
  ...(await listAdministratorIds(tx, bot.realmId)),
  ...(bot.botOwnerId === null ? [] : [bot.botOwnerId]),
];

export const botAddedEvent = async (tx: Tx, bot: UserRow): Promise<PendingEvent> =>
  to.users(await botAudience(tx, bot), events.realmBot.add({ bot: await presentBot(tx, bot) }));

/** Returns an event about a change of a bot's settings, for its owner and administrators. */
export const botUpdatedEvent = async (
  tx: Tx,
  bot: UserRow,
  change: Omit<BotChange, 'user_id'>,
): Promise<PendingEvent> =>
  to.users(await botAudience(tx, bot), events.realmBot.update({ bot: { user_id: bot.id, ...change } }));

/** Events for a bot's old and new owner and for administrators, who see the bot before and after. */
async function realmBotOwnerEvents(tx: Tx, before: UserRow, after: UserRow): Promise<PendingEvent[]> {
  const administrators = await listAdministratorIds(tx, after.realmId);
  const isAdministrator = (id: number) => administrators.includes(id);
  const [oldOwnerId, newOwnerId] = [before.botOwnerId, after.botOwnerId];
  const updated = events.realmBot.update({
    bot: { user_id: after.id, ...(newOwnerId !== null && { owner_id: newOwnerId }) },
  });
  return [
    ...(oldOwnerId !== null && !isAdministrator(oldOwnerId)
      ? [to.user({ id: oldOwnerId }, events.realmBot.delete({ bot: { user_id: after.id } }))]
      : []),
    ...(newOwnerId !== null && !isAdministrator(newOwnerId)
      ? [to.user({ id: newOwnerId }, events.realmBot.add({ bot: await presentBot(tx, after) }))]
      : []),
    to.users(administrators, updated),
  ];
}

/**
 * Returns events for a bot whose owner changed: `realm_bot` for owners and administrators, then `realm_user` for
 * everyone.
 */
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
