import type { Tx } from '@parley/db';
import type { Draft } from '@parley/protocol';

import type { Actor } from '../actor.ts';
import type { Rules } from '../realms/rules.ts';
import { type ChannelAccess, listHeads, listSubscribers, listVisibleChannels } from './find.ts';
import { forget } from './sight.ts';
import { appearance, disappearance } from './updates.ts';

/**
 * To someone whose place in the organization has changed: the channels that appear with who is in them, then those
 * that they see no more. Part of the actions that change roles and groups, after they have.
 */
export async function draftsOfSight(tx: Tx, before: Actor, after: Actor, rules: Rules): Promise<Draft[]> {
  const could = await listVisibleChannels(tx, before);
  const can = await listVisibleChannels(tx, after);
  const [gained, lost] = [missingIn(can, could), missingIn(could, can)];
  const conversationIds = gained.map(({ conversationId }) => conversationId);
  const heads = await listHeads(tx, conversationIds);
  const subscribers = await listSubscribers(tx, conversationIds);

  const them = { users: [after.id] };
  const drafts = gained.flatMap((channel) => {
    const facts = heads.get(channel.conversationId) ?? { firstMessageId: null, subscriberCount: 0 };
    const peers = subscribers.get(channel.conversationId) ?? [];
    return appearance(them, rules, channel, facts, peers);
  });
  for (const channel of lost) {
    await forget(tx, channel, them);
    drafts.push(...disappearance(them, rules, channel));
  }
  return drafts;
}

function missingIn(list: ChannelAccess[], other: ChannelAccess[]) {
  const ids = new Set(other.map(({ channel }) => channel.id));
  return list.map(({ channel }) => channel).filter(({ id }) => !ids.has(id));
}
