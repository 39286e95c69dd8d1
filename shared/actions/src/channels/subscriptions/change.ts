import type { Tx } from '@parley/db';
import type { Actor } from '@parley/model';
import * as model from '@parley/model';
import { type ActionResult, ApiError } from '@parley/protocol';

import { lockName } from '../../lock.ts';
import { lockChannels, lockDefaults } from '../lock.ts';
import {
  type SubscribeInput,
  type SubscribeResult,
  parseChannelsToJoin,
  subscribeUsers,
} from './subscribe.ts';
import { type UnsubscribeResult, unsubscribeUsers } from './unsubscribe.ts';

export interface SubscriptionChanges {
  add: SubscribeInput['channels'];
  /** Names of channels. A channel in both lists is left. */
  remove: string[];
}

export interface SubscriptionChangesResult extends ActionResult {
  added: SubscribeResult;
  left: UnsubscribeResult;
}

/**
 * Subscribes the actor to channels, creating those that do not exist, and unsubscribes them from others: all or nothing.
 *
 * @throws BAD_REQUEST for a guest, empty lists, an invalid name or description, a channel that the actor may not read or
 * create, or one to be left that they may not see
 */
export async function changeSubscriptions(
  tx: Tx,
  { actor, remove, ...input }: { actor: Actor } & SubscriptionChanges,
): Promise<SubscriptionChangesResult> {
  const add = parseChannelsToJoin(input.add);
  if (add.length === 0 && remove.length === 0) {
    throw new ApiError('BAD_REQUEST', "There is nothing to change. Send 'add', 'delete' or both.");
  }
  const leaving = new Set(remove.map((name) => name.toLowerCase()));
  const joining = add.filter(({ name }) => !leaving.has(name.toLowerCase()));
  await lockAll(tx, actor, [...joining.map(({ name }) => name), ...remove]);
  const rules = await model.permissions.getRules(tx, actor.realm.id);
  const added = joining.length > 0 ? await subscribeActor(tx, actor, rules, joining) : noneAdded;
  const left =
    remove.length > 0
      ? await unsubscribeUsers(tx, actor, rules, { channels: remove, principals: null })
      : noneLeft;
  return await model.accessChanges.withAccessChanges(tx, actor.realm, rules, {
    events: [...added.events, ...left.events],
    memberships: [...(added.memberships ?? []), ...(left.memberships ?? [])],
    changesRules: added.changesRules === true || left.changesRules === true,
    added,
    left,
  });
}
changeSubscriptions.actionName = 'channels.changeSubscriptions' as const;

const subscribeActor = (
  tx: Tx,
  actor: Actor,
  rules: model.permissions.Rules,
  channels: SubscribeInput['channels'],
) =>
  subscribeUsers(tx, actor, rules, {
    channels,
    principals: null,
    creates: {},
    sendsMessages: true,
    isStrict: true,
  });

const noneAdded: SubscribeResult = {
  events: [],

  subscribed: new Map(),
  alreadySubscribed: new Map(),
  unauthorized: [],
  areMessagesSent: true,
};

const noneLeft: UnsubscribeResult = { events: [], removed: [], notRemoved: [] };

/** Locks everything that both halves lock for themselves, so that it is locked in one order. */
async function lockAll(tx: Tx, actor: Actor, names: string[]): Promise<void> {
  await lockDefaults(tx, actor.realm);
  for (const name of names.map((name) => name.toLowerCase()).sort()) {
    if (!(await model.access.findChannel(tx, actor, name)))
      await lockName(tx, 'channel', actor.realm.id, name);
  }
  await lockChannels(tx, actor, names);
}
