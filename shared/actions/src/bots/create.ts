import type { Tx, UserRow } from '@parley/db';
import { assertHuman, assertMember, parseEmail, parseFullName } from '@parley/model';
import { type Actor, getRules, resolveBotChannelId } from '@parley/model';
import { type ActionResult, roles } from '@parley/protocol';

import { lockName } from '../lock.ts';
import { create as createUser } from '../users/index.ts';
import { assertBotNameIsFree } from './names.ts';
import { assertMayCreateBot } from './permissions.ts';
import { parseService } from './service.ts';
import { newToken } from './token.ts';

export interface BotDefaults {
  /** Names of channels; empty for none. */
  sendingChannel?: string | undefined;
  eventsChannel?: string | undefined;
  allPublicChannels?: boolean | undefined;
}

export interface NewBot extends BotDefaults {
  /** What its address begins with. */
  shortName: string;
  fullName: string;
  type: number;
  /** Where an outgoing-webhook bot calls. */
  service: { baseUrl: string; interface: number } | null;
}

/** Makes a bot of the actor's own. */
export async function create(tx: Tx, actor: Actor, input: NewBot): Promise<ActionResult & { user: UserRow }> {
  assertHuman(actor);
  assertMember(actor);
  const { realm } = actor;
  const bot = {
    ...input,
    fullName: parseFullName(input.fullName),
    email: parseEmail(`${input.shortName.trim()}-bot@${realm.host}`, 'Bad name or username'),
    service: input.service && parseService(input.service),
  };
  assertMayCreateBot(actor, bot.type, await getRules(tx, realm.id));
  await lockName(tx, 'email', realm.id, bot.email);
  await assertBotNameIsFree(tx, realm.id, bot.fullName);
  return await createUser(tx, realm, {
    email: bot.email,
    fullName: bot.fullName,
    role: roles.member,
    botType: bot.type,
    botOwnerId: actor.id,
    defaultSendingChannelId: await resolveBotChannelId(tx, actor, bot.sendingChannel ?? ''),
    defaultEventsChannelId: await resolveBotChannelId(tx, actor, bot.eventsChannel ?? ''),
    defaultAllPublicChannels: bot.allPublicChannels ?? false,
    ...(bot.service && { service: { ...bot.service, token: newToken() } }),
  });
}
