import { type Tx, type UserRow, tables } from '@parley/db';
import {
  assertAdministrator,
  assertHuman,
  parseFullName,
  parseOptional,
  botOwnershipEvents,
  type Actor,
  getBot,
  presentBot,
  botUpdatedEvent,
  getRules,
  resolveBotChannelId,
  listUsers,
} from '@parley/model';
import { type Role, type ActionResult, ApiError, botTypes, type BotChange } from '@parley/protocol';
import { eq } from 'drizzle-orm';

import { lockConversations, lockUser } from '../lock.ts';
import { editAccount } from '../users/index.ts';
import type { BotDefaults } from './create.ts';
import { assertBotNameIsFree } from './names.ts';
import { parseFormat, parseUrl } from './service.ts';
import { newToken } from './token.ts';

export interface BotEdit extends BotDefaults {
  id: number;
  fullName?: string | undefined;
  role?: Role | undefined;
  ownerId?: number | undefined;
  service?: { baseUrl?: string | undefined; interface?: number | undefined } | undefined;
}

/**
 * Changes a bot as its owner or as an administrator.
 *
 * @throws BAD_REQUEST for a bot as the actor; for a bot that does not exist or that the actor may not edit, an invalid
 * name, service or owner, a name that is taken, or a channel that the actor may not see
 * @throws UNAUTHORIZED_PRINCIPAL for a role, for anyone but administrators, or for an owner's, for anyone but owners
 */
export async function edit(
  tx: Tx,
  actor: Actor,
  { service, ...input }: BotEdit,
): Promise<ActionResult & { bot: UserRow }> {
  assertHuman(actor);
  const { realm } = actor;
  const changes = {
    ...input,
    fullName: parseOptional(input.fullName, parseFullName),
    service: service && {
      baseUrl: parseOptional(service.baseUrl, parseUrl),
      interface: parseOptional(service.interface, parseFormat),
    },
  };
  await lockConversations(tx, [realm.membersConversationId]);
  await getBot(tx, actor, changes.id);
  const { fullName, role } = changes;
  if (role !== undefined) assertAdministrator(actor);
  if (fullName !== undefined) await assertBotNameIsFree(tx, realm.id, fullName, changes.id);
  const account = await editAccount(tx, actor, { user: changes.id, fullName, role });

  const before = await lockUser(tx, { id: changes.id, realm });
  const presentedBefore = await presentBot(tx, before);
  await editService(tx, before, changes);
  const [after] = await tx
    .update(tables.users)
    .set(await columnsOf(tx, actor, changes, before))
    .where(eq(tables.users.id, changes.id))
    .returning();
  if (!after) throw new Error(`Bot ${changes.id} is locked and does not exist.`);

  const { owner_id: _, ...difference } = differenceOf(presentedBefore, await presentBot(tx, after));
  const updates = Object.keys(difference).length > 0 ? [await botUpdatedEvent(tx, after, difference)] : [];
  const ownership =
    before.botOwnerId === after.botOwnerId
      ? []
      : await botOwnershipEvents(tx, actor, before, after, await getRules(tx, realm.id));
  return { ...account, events: [...account.events, ...updates, ...ownership], bot: after };
}

async function columnsOf(tx: Tx, actor: Actor, changes: BotEdit, before: UserRow) {
  const channel = async (name: string | undefined, present: number | null) =>
    name === undefined ? present : await resolveBotChannelId(tx, actor, name);
  return {
    botOwnerId:
      changes.ownerId === undefined ? before.botOwnerId : await getOwner(tx, actor, changes.ownerId),
    defaultSendingChannelId: await channel(changes.sendingChannel, before.defaultSendingChannelId),
    defaultEventsChannelId: await channel(changes.eventsChannel, before.defaultEventsChannelId),
    defaultAllPublicChannels: changes.allPublicChannels ?? before.defaultAllPublicChannels,
  };
}

async function getOwner(tx: Tx, actor: Actor, id: number): Promise<number> {
  const refusal = (why: string) => new ApiError('BAD_REQUEST', `Failed to change owner, ${why}`);
  const [owner] = await listUsers(tx, actor.realm.id, [id]);
  if (!owner || owner.isSystem) throw refusal('no such user');
  if (!owner.isActive) throw refusal('user is deactivated');
  if (owner.botType !== null) throw refusal("bots can't own other bots");
  return owner.id;
}

async function editService(tx: Tx, bot: UserRow, { service }: BotEdit): Promise<void> {
  if (!service || bot.botType !== botTypes.outgoingWebhook) return;
  const { botServices } = tables;
  const { baseUrl, interface: kind } = service;
  const fresh = { botId: bot.id, baseUrl: baseUrl ?? '', interface: kind ?? 1, token: newToken() };
  const set = {
    ...(baseUrl !== undefined && { baseUrl }),
    ...(kind !== undefined && { interface: kind }),
  };
  if (Object.keys(set).length === 0) return;
  await tx.insert(botServices).values(fresh).onConflictDoUpdate({ target: botServices.botId, set });
}

/** The fields of a bot that differ from before. */
function differenceOf(before: object, after: object): Omit<BotChange, 'user_id'> {
  const valuesBefore = new Map(Object.entries(before).map(([name, value]) => [name, JSON.stringify(value)]));
  return Object.fromEntries(
    Object.entries(after).filter(([name, value]) => valuesBefore.get(name) !== JSON.stringify(value)),
  );
}
