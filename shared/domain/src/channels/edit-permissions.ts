import type { Tx } from '@parley/db';
import {
  ApiError,
  type ChannelGroupSetting,
  type GroupSettingChange,
  channelGroupNames,
  channelGroupSettings,
} from '@parley/protocol';

import { silentMention } from '../messages/notice.ts';
import { checkExpected, isSameSetting, readGroupSetting } from '../user-groups/setting.ts';
import type { Editing, Step } from './editing.ts';
import { checkMaySet } from './insert.ts';
import { mayRead } from './may.ts';
import { type ChannelRow, postPolicyOf } from './present.ts';
import { forget, sightChange } from './sight.ts';
import { appearance, disappearance, updateFor } from './updates.ts';

export type PermissionChanges = Partial<Record<ChannelGroupSetting, GroupSettingChange>>;

/** These let people in: only those who may read the channel themselves decide on them. */
const admitting: ReadonlySet<ChannelGroupSetting> = new Set([
  'can_add_subscribers_group',
  'can_subscribe_group',
]);

/** Who may do what in a channel. */
export async function editPermissions(
  tx: Tx,
  editing: Editing,
  before: ChannelRow,
  changes: PermissionChanges,
): Promise<Step | null> {
  const step: Required<Step> = { channel: before, events: [], notices: [] };
  for (const name of channelGroupNames) {
    const change = changes[name];
    if (!change) continue;
    const one = await editPermission(tx, editing, step.channel, name, change);
    if (!one) continue;
    step.channel = one.channel;
    step.events.push(...one.events);
    step.notices.push(...(one.notices ?? []));
  }
  return step;
}

async function editPermission(
  tx: Tx,
  { actor, rules, access, facts, subscribers }: Editing,
  before: ChannelRow,
  name: ChannelGroupSetting,
  change: GroupSettingChange,
): Promise<Step | null> {
  const current = before.groupSettings[name];
  const permission = channelGroupSettings[name];
  const value = await readGroupSetting(tx, actor.realm.id, rules, [name, permission], change.new);
  checkExpected(current, change);
  if (isSameSetting(value, current)) return null;
  if (admitting.has(name) && !mayRead(actor, access, rules)) {
    throw new ApiError('BAD_REQUEST', 'Channel content access is required.');
  }
  checkMaySet(actor, rules, name);

  const after = { ...before, groupSettings: { ...before.groupSettings, [name]: value } };
  const sight = await sightChange(tx, actor.realm, [before, after], subscribers, rules);
  if (sight.lose) await forget(tx, after, sight.lose);
  const [oldPolicy, policy] = [postPolicyOf(before, rules), postPolicyOf(after, rules)];
  const update = (...changed: Parameters<typeof updateFor>[3]) =>
    updateFor(sight.keep, rules, after, changed);
  const isAnnouncing = (one: number) => one === 2;
  return {
    channel: after,
    events: [
      update(name, value),
      ...appearance(sight.gain, rules, after, facts, subscribers),
      ...disappearance(sight.lose, rules, after),
      ...(policy === oldPolicy ? [] : [update('stream_post_policy', policy)]),
      ...(isAnnouncing(policy) === isAnnouncing(oldPolicy)
        ? []
        : [update('is_announcement_only', isAnnouncing(policy))]),
    ],
    ...(name === 'can_send_message_group' && {
      notices: [`${silentMention(actor)} changed who may post in this channel.`],
    }),
  };
}
