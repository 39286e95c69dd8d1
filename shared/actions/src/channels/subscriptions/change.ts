import type { Tx } from '@parley/db';
import { type Actor, getRules, withAccessChanges, type Rules, findChannel } from '@parley/model';
import { type ActionResult, ApiError } from '@parley/protocol';

import { lockName } from '../../lock.ts';
import { lockDefaults } from '../defaults/channels.ts';
import { lockChannels } from '../lock.ts';
import {
  type SubscribeInput,
  type SubscribeResult,
  parseChannelsToJoin,
  subscribeUsers,
} from './subscribe.ts';
import { type UnsubscribeResult, unsubscribeUsers } from './unsubscribe.ts';

export interface SubscriptionChanges {
  add: SubscribeInput['channels'];
  /** Names. A channel in both lists is left. */
  remove: string[];
}

export interface SubscriptionChangesResult extends ActionResult {
  added: SubscribeResult;
  left: UnsubscribeResult;
}

/** Comes into channels and leaves others, all or nothing. */
export async function changeSubscriptions(
  tx: Tx,
  actor: Actor,
  { remove, ...input }: SubscriptionChanges,
): Promise<SubscriptionChangesResult> {
  const add = parseChannelsToJoin(input.add);
  if (add.length === 0 && remove.length === 0) {
    throw new ApiError('BAD_REQUEST', 'Nothing to do. Specify at least one of "add" or "delete".');
  }
  const leaving = new Set(remove.map((name) => name.toLowerCase()));
  const coming = add.filter(({ name }) => !leaving.has(name.toLowerCase()));
  await lockAll(tx, actor, [...coming.map(({ name }) => name), ...remove]);
  const rules = await getRules(tx, actor.realm.id);
  const added = coming.length > 0 ? await subscribeActor(tx, actor, rules, coming) : noneAdded;
  const left =
    remove.length > 0
      ? await unsubscribeUsers(tx, actor, rules, { channels: remove, principals: null })
      : noneLeft;
  return await withAccessChanges(tx, actor.realm, rules, {
    events: [...added.events, ...left.events],
    memberships: [...(added.memberships ?? []), ...(left.memberships ?? [])],
    keepsRules: left.keepsRules === true,
    added,
    left,
  });
}

const subscribeActor = (tx: Tx, actor: Actor, rules: Rules, channels: SubscribeInput['channels']) =>
  subscribeUsers(tx, actor, rules, { channels, principals: null, creates: {}, isStrict: true });

const noneAdded: SubscribeResult = {
  events: [],
  keepsRules: true,
  subscribed: new Map(),
  alreadySubscribed: new Map(),
  unauthorized: [],
  areMessagesSent: false,
};

const noneLeft: UnsubscribeResult = { events: [], keepsRules: true, removed: [], notRemoved: [] };

/** Both halves lock for themselves; what they would lock one after the other is locked in order here. */
async function lockAll(tx: Tx, actor: Actor, names: string[]): Promise<void> {
  await lockDefaults(tx, actor.realm);
  for (const name of names.map((one) => one.toLowerCase()).sort()) {
    if (!(await findChannel(tx, actor, name))) await lockName(tx, 'channel', actor.realm.id, name);
  }
  await lockChannels(tx, actor, names);
}
