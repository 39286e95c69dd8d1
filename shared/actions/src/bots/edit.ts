import { type Tx, type UserRow, tables } from '@parley/db';
import { parseFullName, parseOptional, type Actor, actorOf, isAdministrator, hasId } from '@parley/model';
import * as model from '@parley/model';
import { type Role, type ActionResult, ApiError, botTypes, type BotChange } from '@parley/protocol';

import { lockConversations, lockUser } from '../lock.ts';
import { editAccount } from '../users/index.ts';
import { type BotConfig, configure } from './configure.ts';
import type { BotDefaults } from './create.ts';
import { assertBotNameIsFree } from './names.ts';
import { assertMayCreateBot } from './permissions.ts';
import { parseFormat, parseUrl } from './service.ts';
import { newToken } from './token.ts';

export interface BotEdit extends BotDefaults {
  id: number;
  fullName?: string | undefined;
  role?: Role | undefined;
  ownerId?: number | undefined;
  service?: { baseUrl?: string | undefined; interface?: number | undefined } | undefined;
  config?: BotConfig | undefined;
}

/**
 * Changes a bot as its owner or as an administrator. Another owner gets the bot with a new API key: whoever had the old
 * one could otherwise go on writing with the new owner's permissions.
 *
 * @throws BAD_REQUEST for a bot as the actor; for a bot that does not exist or that the actor may not edit, an invalid
 * name, service or owner, a name that is taken, or a channel that the actor may not see; for an owner who may not
 * create such a bot, or whose role is below the bot's
 * @throws UNAUTHORIZED_PRINCIPAL for a role, for anyone but administrators, or for an owner's, for anyone but owners
 */
export async function edit(
  tx: Tx,
  { actor, service, ...input }: { actor: Actor } & BotEdit,
): Promise<ActionResult & { bot: UserRow }> {
  model.permissions.assertHuman(actor);
  const { realm } = actor;
  const changes = {
    ...input,
    fullName: parseOptional(input.fullName, parseFullName),
    service: service && {
      baseUrl: parseOptional(service.baseUrl, parseUrl),
      interface: parseOptional(service.interface, parseFormat),
    },
  };
  await lockConversations(tx, realm, [realm.membersConversationId]);
  await model.bots.getBot(tx, actor, changes.id);
  const { fullName, role } = changes;
  if (role !== undefined) model.permissions.assertAdministrator(actor);
  if (fullName !== undefined) await assertBotNameIsFree(tx, realm.id, fullName, changes.id);
  const account = await editAccount(tx, actor, { user: changes.id, fullName, role });

  const before = await lockUser(tx, { id: changes.id, realm });
  const presentedBefore = await model.bots.presentBot(tx, before);
  await editService(tx, before, changes);
  await configure(tx, before, changes.config);
  const [after] = await tx
    .update(tables.users)
    .set(await columnsOf(tx, actor, changes, before))
    .where(hasId(tables.users, realm, changes.id))
    .returning();
  if (!after) throw new Error(`Bot ${changes.id} is locked and does not exist.`);

  const { owner_id: _, ...difference } = differenceOf(
    presentedBefore,
    await model.bots.presentBot(tx, after),
  );
  const updates =
    Object.keys(difference).length > 0 ? [await model.bots.botUpdatedEvent(tx, after, difference)] : [];
  const keepsOwner = before.botOwnerId === after.botOwnerId;
  const ownership = keepsOwner
    ? []
    : await model.bots.botOwnershipEvents(
        tx,
        actor,
        before,
        after,
        await model.permissions.getRules(tx, realm.id),
      );
  const [first] = updates;
  if (first && !keepsOwner) first.revokes = [after.id];
  return {
    ...account,
    // A new owner knows the bot only after the events of its ownership.
    events: [...account.events, ...ownership, ...updates],
    changesRules: account.changesRules === true || !keepsOwner,
    bot: after,
  };
}
edit.actionName = 'bots.edit' as const;

async function columnsOf(tx: Tx, actor: Actor, changes: BotEdit, before: UserRow) {
  const channel = async (name: string | undefined, present: number | null) =>
    name === undefined ? present : await model.bots.resolveBotChannelId(tx, actor, name);
  const columns = {
    defaultSendingChannelId: await channel(changes.sendingChannel, before.defaultSendingChannelId),
    defaultEventsChannelId: await channel(changes.eventsChannel, before.defaultEventsChannelId),
    defaultAllPublicChannels: changes.allPublicChannels ?? before.defaultAllPublicChannels,
  };
  if (changes.ownerId === undefined || changes.ownerId === before.botOwnerId) return columns;
  const owner = await getOwner(tx, actor, changes.ownerId, before);
  return {
    botOwnerId: owner.id,
    keyGeneration: before.keyGeneration + 1,
    ...columns,
    defaultSendingChannelId: await ifReadable(tx, actor, owner, columns.defaultSendingChannelId),
    defaultEventsChannelId: await ifReadable(tx, actor, owner, columns.defaultEventsChannelId),
  };
}

/** The id of a default channel, or null where the new owner may not read the channel. */
async function ifReadable(
  tx: Tx,
  { realm }: Actor,
  owner: UserRow,
  id: number | null,
): Promise<number | null> {
  const access = id === null ? undefined : await model.access.findChannel(tx, actorOf(owner, realm), id);
  return access && model.access.mayReadChannel(owner, access, await model.permissions.getRules(tx, realm.id))
    ? id
    : null;
}

async function getOwner(tx: Tx, actor: Actor, id: number, bot: UserRow): Promise<UserRow> {
  const refusal = (why: string) => new ApiError('BAD_REQUEST', `The owner was not changed: ${why}.`);
  const [owner] = await model.users.listUsers(tx, actor.realm.id, [id]);
  if (!owner || owner.isSystem) throw refusal('this user does not exist');
  if (!owner.isActive) throw refusal('this user is deactivated');
  if (owner.botType !== null) throw refusal('a bot cannot own a bot');
  assertMayCreateBot(owner, bot.botType ?? 0, await model.permissions.getRules(tx, actor.realm.id));
  if (owner.role > bot.role && !isAdministrator(actor))
    throw refusal("the bot's role is higher than this user's");
  return owner;
}

async function editService(tx: Tx, bot: UserRow, { service }: BotEdit): Promise<void> {
  if (!service || bot.botType !== botTypes.outgoingWebhook) return;
  const { botServices } = tables;
  const { baseUrl, interface: kind } = service;
  const fresh = {
    realmId: bot.realmId,
    botId: bot.id,
    baseUrl: baseUrl ?? '',
    interface: kind ?? 1,
    token: newToken(),
  };
  const set = {
    ...(baseUrl !== undefined && { baseUrl }),
    ...(kind !== undefined && { interface: kind }),
  };
  // Where else it is now, it may be doing well.
  const recovered = { failures: 0, pausedUntil: null };
  if (Object.keys(set).length === 0) return;
  await tx
    .insert(botServices)
    .values(fresh)
    .onConflictDoUpdate({ target: [botServices.realmId, botServices.botId], set: { ...set, ...recovered } });
}

/** The fields of a bot that differ from before. */
function differenceOf(before: object, after: object): Omit<BotChange, 'user_id'> {
  const valuesBefore = new Map(Object.entries(before).map(([name, value]) => [name, JSON.stringify(value)]));
  return Object.fromEntries(
    Object.entries(after).filter(([name, value]) => valuesBefore.get(name) !== JSON.stringify(value)),
  );
}
