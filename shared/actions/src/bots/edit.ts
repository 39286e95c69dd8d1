import { type Tx, type UserRow, tables } from '@parley/db';
import { assertAdministrator, assertHuman, parseFullName, parseOptional } from '@parley/model';
import {
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

/** What the owner of a bot, or an administrator, changes about it. */
export async function edit(
  tx: Tx,
  actor: Actor,
  { service, ...input }: BotEdit,
): Promise<ActionResult & { bot: UserRow }> {
  assertHuman(actor);
  const { realm } = actor;
  const wanted = {
    ...input,
    fullName: parseOptional(input.fullName, parseFullName),
    service: service && {
      baseUrl: parseOptional(service.baseUrl, parseUrl),
      interface: parseOptional(service.interface, parseFormat),
    },
  };
  await lockConversations(tx, [realm.membersConversationId]);
  await getBot(tx, actor, wanted.id);
  const { fullName, role } = wanted;
  if (role !== undefined) assertAdministrator(actor);
  if (fullName !== undefined) await assertBotNameIsFree(tx, realm.id, fullName, wanted.id);
  const account = await editAccount(tx, actor, { user: wanted.id, fullName, role });

  const before = await lockUser(tx, { id: wanted.id, realm });
  const shownBefore = await presentBot(tx, before);
  await editService(tx, before, wanted);
  const [after] = await tx
    .update(tables.users)
    .set(await columnsOf(tx, actor, wanted, before))
    .where(eq(tables.users.id, wanted.id))
    .returning();
  if (!after) throw new Error(`Bot ${wanted.id} is held and does not exist.`);

  const { owner_id: _, ...change } = differenceOf(shownBefore, await presentBot(tx, after));
  const told = Object.keys(change).length > 0 ? [await botUpdatedEvent(tx, after, change)] : [];
  const owned =
    before.botOwnerId === after.botOwnerId
      ? []
      : await botOwnershipEvents(tx, actor, before, after, await getRules(tx, realm.id));
  return { ...account, events: [...account.events, ...told, ...owned], bot: after };
}

async function columnsOf(tx: Tx, actor: Actor, wanted: BotEdit, before: UserRow) {
  const channel = async (name: string | undefined, present: number | null) =>
    name === undefined ? present : await resolveBotChannelId(tx, actor, name);
  return {
    botOwnerId: wanted.ownerId === undefined ? before.botOwnerId : await getOwner(tx, actor, wanted.ownerId),
    defaultSendingChannelId: await channel(wanted.sendingChannel, before.defaultSendingChannelId),
    defaultEventsChannelId: await channel(wanted.eventsChannel, before.defaultEventsChannelId),
    defaultAllPublicChannels: wanted.allPublicChannels ?? before.defaultAllPublicChannels,
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

/** The fields of a bot that are not what they were. */
function differenceOf(before: object, after: object): Omit<BotChange, 'user_id'> {
  const known = new Map(Object.entries(before).map(([name, value]) => [name, JSON.stringify(value)]));
  return Object.fromEntries(
    Object.entries(after).filter(([name, value]) => known.get(name) !== JSON.stringify(value)),
  );
}
