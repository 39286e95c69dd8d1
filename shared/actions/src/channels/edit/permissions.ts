import type { Tx, ChannelRow } from '@parley/db';
import {
  parseGroupSetting,
  assertExpectedSetting,
  isSameSetting,
  mayReadChannel,
  channelAccessChange,
  legacyPostPolicy,
  channelUpdateEvent,
  channelAddedEvents,
  channelRemovedEvents,
  silentMention,
} from '@parley/model';
import {
  type ChannelGroupSetting,
  type GroupSettingChange,
  channelGroupNames,
  channelGroupSettings,
  ApiError,
} from '@parley/protocol';

import { clearFormerMembers } from '../clear-former-members.ts';
import { assertMaySetPermission } from '../insert.ts';
import type { EditContext, PartialEdit } from './editing.ts';

export type PermissionChanges = Partial<Record<ChannelGroupSetting, GroupSettingChange>>;

/** These let people in: only those who may read the channel themselves decide on them. */
const admittingSettings: ReadonlySet<ChannelGroupSetting> = new Set([
  'can_add_subscribers_group',
  'can_subscribe_group',
]);

/** Who may do what in a channel. */
export async function editPermissions(
  tx: Tx,
  editing: EditContext,
  before: ChannelRow,
  changes: PermissionChanges,
): Promise<PartialEdit | null> {
  const step: Required<PartialEdit> = { channel: before, events: [], notices: [] };
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
  { actor, rules, access, facts, subscribers }: EditContext,
  before: ChannelRow,
  name: ChannelGroupSetting,
  change: GroupSettingChange,
): Promise<PartialEdit | null> {
  const current = before.groupSettings[name];
  const permission = channelGroupSettings[name];
  const value = await parseGroupSetting(tx, actor.realm.id, rules, [name, permission], change.new);
  assertExpectedSetting(current, change);
  if (isSameSetting(value, current)) return null;
  if (admittingSettings.has(name) && !mayReadChannel(actor, access, rules)) {
    throw new ApiError('BAD_REQUEST', 'Channel content access is required.');
  }
  assertMaySetPermission(actor, rules, name);

  const after = { ...before, groupSettings: { ...before.groupSettings, [name]: value } };
  const accessChange = await channelAccessChange(tx, actor.realm, [before, after], subscribers, rules);
  if (accessChange.lose) await clearFormerMembers(tx, after, accessChange.lose);
  const [oldPolicy, policy] = [legacyPostPolicy(before, rules), legacyPostPolicy(after, rules)];
  const update = (...changed: Parameters<typeof channelUpdateEvent>[3]) =>
    channelUpdateEvent(accessChange.keep, rules, after, changed);
  const isAnnouncing = (one: number) => one === 2;
  return {
    channel: after,
    events: [
      update(name, value),
      ...channelAddedEvents(accessChange.gain, rules, after, facts, subscribers),
      ...channelRemovedEvents(accessChange.lose, rules, after),
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
