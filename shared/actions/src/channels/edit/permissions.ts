import type { Tx, ChannelRow } from '@parley/db';
import * as model from '@parley/model';
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

/** The legacy post policy of a channel in which only administrators may write. */
const administratorsOnly = 2;

export type PermissionChanges = Partial<Record<ChannelGroupSetting, GroupSettingChange>>;

/** Permissions that admit users to the channel. Only an actor who may read the channel may set them. */
const admittingSettings: ReadonlySet<ChannelGroupSetting> = new Set([
  'can_add_subscribers_group',
  'can_subscribe_group',
]);

/** Edits a channel's permissions. */
export async function editPermissions(
  tx: Tx,
  context: EditContext,
  before: ChannelRow,
  changes: PermissionChanges,
): Promise<PartialEdit | null> {
  const edit: Required<PartialEdit> = { channel: before, events: [], notices: [] };
  for (const name of channelGroupNames) {
    const change = changes[name];
    if (!change) continue;
    const result = await editPermission(tx, context, edit.channel, name, change);
    if (!result) continue;
    edit.channel = result.channel;
    edit.events.push(...result.events);
    edit.notices.push(...(result.notices ?? []));
  }
  return edit;
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
  const value = await model.permissions.parseGroupSetting(tx, actor.realm.id, [name, permission], change.new);
  model.permissions.assertExpectedSetting(current, change);
  if (model.permissions.isSameSetting(value, current)) return null;
  if (admittingSettings.has(name) && !model.access.mayReadChannel(actor, access, rules)) {
    throw new ApiError('BAD_REQUEST', 'You need access to the messages of this channel.');
  }
  assertMaySetPermission(actor, rules, name);

  const after = { ...before, groupSettings: { ...before.groupSettings, [name]: value } };
  const accessChange = await model.access.channelAccessChange(
    tx,
    actor.realm,
    [before, after],
    subscribers,
    rules,
  );
  if (accessChange.lose) await clearFormerMembers(tx, after, accessChange.lose);
  const [oldPolicy, policy] = [
    model.channels.legacyPostPolicy(before, rules),
    model.channels.legacyPostPolicy(after, rules),
  ];
  const update = (...changed: Parameters<typeof model.channels.channelUpdateEvent>[3]) =>
    model.channels.channelUpdateEvent(accessChange.keep, rules, after, changed);
  const isAnnouncing = (postPolicy: number) => postPolicy === administratorsOnly;
  return {
    channel: after,
    events: [
      update(name, value),
      ...model.channels.channelAddedEvents(accessChange.gain, rules, after, facts, subscribers),
      ...model.channels.channelRemovedEvents(accessChange.lose, rules, after),
      ...(policy === oldPolicy ? [] : [update('stream_post_policy', policy)]),
      ...(isAnnouncing(policy) === isAnnouncing(oldPolicy)
        ? []
        : [update('is_announcement_only', isAnnouncing(policy))]),
    ],
    ...(name === 'can_send_message_group' && {
      notices: [(text) => text.channel.posting(model.messages.silentMention(actor))],
    }),
  };
}
