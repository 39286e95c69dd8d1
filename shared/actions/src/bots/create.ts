import type { Tx, UserRow } from '@parley/db';
import { parseEmail, parseFullName, type Actor } from '@parley/model';
import * as model from '@parley/model';
import { type ActionResult, roles } from '@parley/protocol';

import { lockName } from '../lock.ts';
import { create as createUser } from '../users/index.ts';
import { type BotConfig, configure } from './configure.ts';
import { assertBotNameIsFree } from './names.ts';
import { assertMayCreateBot } from './permissions.ts';
import { parseService } from './service.ts';
import { newToken } from './token.ts';

export interface BotDefaults {
  /** The name of a channel; empty for none. */
  sendingChannel?: string | undefined;
  eventsChannel?: string | undefined;
  allPublicChannels?: boolean | undefined;
}

export interface NewBot extends BotDefaults {
  /** The first part of the bot's email address. */
  shortName: string;
  fullName: string;
  type: number;
  /** Where an outgoing-webhook bot calls. */
  service: { baseUrl: string; interface: number } | null;
  config?: BotConfig | undefined;
}

/**
 * Creates a bot that the actor owns.
 *
 * @throws BAD_REQUEST for a bot or a guest, an invalid name, address or service, a name or an address that is taken, a
 * channel that the actor may not see, or without the permission to create such a bot
 */
export async function create(
  tx: Tx,
  { actor, ...input }: { actor: Actor } & NewBot,
): Promise<ActionResult & { user: UserRow }> {
  model.permissions.assertHuman(actor);
  model.permissions.assertMember(actor);
  const { realm } = actor;
  const bot = {
    ...input,
    fullName: parseFullName(input.fullName),
    email: parseEmail(
      `${input.shortName.trim()}-bot@${realm.emailDomain}`,
      'This name cannot be turned into an email address. Use letters, digits, dots, hyphens and underscores.',
    ),
    service: input.service && parseService(input.service),
  };
  assertMayCreateBot(actor, bot.type, await model.permissions.getRules(tx, realm.id));
  await lockName(tx, 'email', realm.id, bot.email);
  await assertBotNameIsFree(tx, realm.id, bot.fullName);
  const created = await createUser(tx, {
    realm,
    email: bot.email,
    fullName: bot.fullName,
    role: roles.member,
    botType: bot.type,
    botOwnerId: actor.id,
    defaultSendingChannelId: await model.bots.resolveBotChannelId(tx, actor, bot.sendingChannel ?? ''),
    defaultEventsChannelId: await model.bots.resolveBotChannelId(tx, actor, bot.eventsChannel ?? ''),
    defaultAllPublicChannels: bot.allPublicChannels ?? false,
    ...(bot.service && { service: { ...bot.service, token: newToken() } }),
  });
  await configure(tx, created.user, bot.config);
  return created;
}
create.actionName = 'bots.create' as const;
