import type { Tx } from '@parley/db';
import { type ActionResult, roles } from '@parley/protocol';

import type { Actor } from '../actor.ts';
import { lockName } from '../lock.ts';
import { getRules } from '../realms/rules.ts';
import { create as createUser } from '../users/create.ts';
import type { UserRow } from '../users/find.ts';
import { checkBotName, findDefaultChannel } from './find.ts';
import { checkMayCreateBot } from './may.ts';
import { newToken } from './token.ts';

export interface BotDefaults {
  /** Names of channels; empty for none. */
  sendingChannel?: string | undefined;
  eventsChannel?: string | undefined;
  allPublicChannels?: boolean | undefined;
}

export interface NewBot extends BotDefaults {
  email: string;
  fullName: string;
  type: number;
  /** Where an outgoing-webhook bot calls. */
  service: { baseUrl: string; interface: number } | null;
}

/** Makes a bot of the actor's own. */
export async function create(tx: Tx, actor: Actor, bot: NewBot): Promise<ActionResult & { user: UserRow }> {
  const { realm } = actor;
  checkMayCreateBot(actor, bot.type, await getRules(tx, realm.id));
  await lockName(tx, 'email', realm.id, bot.email);
  await checkBotName(tx, realm.id, bot.fullName);
  return await createUser(tx, realm, {
    email: bot.email,
    fullName: bot.fullName,
    role: roles.member,
    botType: bot.type,
    botOwnerId: actor.id,
    defaultSendingChannelId: await findDefaultChannel(tx, actor, bot.sendingChannel ?? ''),
    defaultEventsChannelId: await findDefaultChannel(tx, actor, bot.eventsChannel ?? ''),
    defaultAllPublicChannels: bot.allPublicChannels ?? false,
    ...(bot.service && { service: { ...bot.service, token: newToken() } }),
  });
}
