import type { Tx, ChannelRow } from '@parley/db';
import {
  mayReadChannel,
  mayCreateChannel,
  channelAccessChange,
  channelUpdateEvent,
  channelAddedEvents,
  channelRemovedEvents,
  silentMention,
} from '@parley/model';
import { ApiError } from '@parley/protocol';

import { forgetMembers } from '../forget.ts';
import { privacyName } from '../notices.ts';
import type { ChannelEditing, EditStep } from './step.ts';

export interface PrivacyChanges {
  isPrivate?: boolean | undefined;
  isWebPublic?: boolean | undefined;
  sharesHistory?: boolean | undefined;
  isDefault?: boolean | undefined;
}

const refuse = (msg: string) => new ApiError('BAD_REQUEST', msg);

/** Who may see and read a channel. Only those who may read it themselves decide that. */
export async function editPrivacy(
  tx: Tx,
  { actor, rules, access, facts, subscribers }: ChannelEditing,
  before: ChannelRow,
  changes: PrivacyChanges,
): Promise<EditStep | null> {
  const after = { ...before, ...wanted(before, changes) };
  if (changes.isDefault !== undefined && changes.isDefault !== before.isDefault) {
    if (actor.role > 200) throw refuse('You do not have permission to change default channels.');
    if (changes.isDefault && after.isArchived) throw refuse('Invalid channel ID');
    after.isDefault = changes.isDefault;
  }
  if (after.isPrivate && after.isDefault) throw refuse('A default channel cannot be private.');
  const isSame =
    before.isPrivate === after.isPrivate &&
    before.isWebPublic === after.isWebPublic &&
    before.sharesHistory === after.sharesHistory;
  if (isSame) return { channel: after, events: [] };

  if ((after.isPrivate && after.isWebPublic) || (!after.isPrivate && !after.sharesHistory)) {
    throw refuse('Invalid parameters');
  }
  if (!mayReadChannel(actor, access, rules)) throw refuse('Channel content access is required.');
  if (after.isWebPublic && !rules.settings.enable_spectator_access) {
    throw refuse('Web-public channels are not enabled.');
  }
  const isOtherKind = before.isPrivate !== after.isPrivate || before.isWebPublic !== after.isWebPublic;
  if (isOtherKind && !mayCreateChannel(actor, after, rules)) throw refuse('Insufficient permission');
  if (!after.isPrivate && rules.settings.moderation_request_channel_id === after.id) {
    throw refuse('Moderation request channel must be private.');
  }

  const sight = await channelAccessChange(tx, actor.realm, [before, after], subscribers, rules);
  if (sight.lose) await forgetMembers(tx, after, sight.lose);
  const update = channelUpdateEvent(sight.keep, rules, after, ['invite_only', after.isPrivate], {
    history_public_to_subscribers: after.sharesHistory,
    is_web_public: after.isWebPublic,
  });
  return {
    channel: after,
    events: [
      ...channelAddedEvents(sight.gain, rules, after, facts, subscribers),
      update,
      ...channelRemovedEvents(sight.lose, rules, after),
    ],
    notices: [
      `${silentMention(actor)} changed the access to this channel from **${privacyName(before)}** to **${privacyName(after)}**.`,
    ],
  };
}

function wanted(before: ChannelRow, { isPrivate, isWebPublic, sharesHistory }: PrivacyChanges) {
  const willBePrivate = isPrivate ?? before.isPrivate;
  return {
    isPrivate: willBePrivate,
    isWebPublic: isWebPublic ?? (before.isWebPublic && !willBePrivate),
    sharesHistory: sharesHistory ?? (willBePrivate ? before.sharesHistory : true),
  };
}
