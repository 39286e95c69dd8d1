import { type Tx, tables } from '@parley/db';
import type { Realm } from '@parley/model';
import * as model from '@parley/model';
import type { ActionResult } from '@parley/protocol';
import { and, eq } from 'drizzle-orm';

import { lockConversations } from '../../lock.ts';
import { join } from './join.ts';

/** Subscribes people to a channel for the operator of the server: nobody is asked whether they may, and nothing is announced. */
export async function addSubscribers(
  tx: Tx,
  { realm, channelId, userIds }: { realm: Realm; channelId: number; userIds: number[] },
): Promise<ActionResult> {
  const { channels } = tables;
  const inRealm = and(eq(channels.realmId, realm.id), eq(channels.id, channelId));
  const [before] = await tx.select().from(channels).where(inRealm);
  if (!before) throw new Error(`Realm ${realm.id} has no channel ${channelId}.`);
  await lockConversations(tx, realm, [before.conversationId]);
  const [channel = before] = await tx.select().from(channels).where(inRealm);
  const users = (await model.users.listUsers(tx, realm.id, userIds)).filter(({ isActive }) => isActive);
  const rules = await model.permissions.getRules(tx, realm.id);
  const { joins: _, ...result } = await join(tx, realm, rules, [
    { channel, users, color: null, isNew: false },
  ]);
  return await model.accessChanges.withAccessChanges(tx, realm, rules, result);
}
addSubscribers.actionName = 'channels.addSubscribers' as const;
