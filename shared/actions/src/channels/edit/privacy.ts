import type { Tx, ChannelRow } from '@parley/db';
import { isAdministrator } from '@parley/model';
import * as model from '@parley/model';
import { ApiError } from '@parley/protocol';

import { clearFormerMembers } from '../clear-former-members.ts';
import { privacyName } from '../notices.ts';
import type { EditContext, PartialEdit } from './editing.ts';

export interface PrivacyChanges {
  isPrivate?: boolean | undefined;
  isWebPublic?: boolean | undefined;
  sharesHistory?: boolean | undefined;
  isDefault?: boolean | undefined;
}

const badRequest = (msg: string) => new ApiError('BAD_REQUEST', msg);

/** Edits who may see and read a channel. Only an actor who may read it may do so. */
export async function editPrivacy(
  tx: Tx,
  { actor, rules, access, facts, subscribers }: EditContext,
  before: ChannelRow,
  changes: PrivacyChanges,
): Promise<PartialEdit | null> {
  const after = { ...before, ...requestedPrivacy(before, changes) };
  if (changes.isDefault !== undefined && changes.isDefault !== before.isDefault) {
    if (!isAdministrator(actor)) throw badRequest('You do not have permission to change default channels.');
    if (changes.isDefault && after.isArchived) throw badRequest('This channel does not exist.');
    after.isDefault = changes.isDefault;
  }
  if (after.isPrivate && after.isDefault) throw badRequest('A default channel cannot be private.');
  const isSame =
    before.isPrivate === after.isPrivate &&
    before.isWebPublic === after.isWebPublic &&
    before.sharesHistory === after.sharesHistory;
  if (isSame) return { channel: after, events: [] };

  if ((after.isPrivate && after.isWebPublic) || (!after.isPrivate && !after.sharesHistory)) {
    throw badRequest(
      'A channel cannot be both private and web-public, and only a private channel can hide its history.',
    );
  }
  if (!model.access.mayReadChannel(actor, access, rules))
    throw badRequest('You need access to the messages of this channel.');
  if (after.isWebPublic && !rules.settings.enable_spectator_access) {
    throw badRequest('Web-public channels are turned off in this organization.');
  }
  const isOtherKind = before.isPrivate !== after.isPrivate || before.isWebPublic !== after.isWebPublic;
  if (isOtherKind && !model.access.mayCreateChannel(actor, after, rules))
    throw badRequest('You do not have permission to do this.');
  if (!after.isPrivate && rules.settings.moderation_request_channel_id === after.id) {
    throw badRequest('The channel for moderation requests must stay private.');
  }

  const accessChange = await model.access.channelAccessChange(
    tx,
    actor.realm,
    [before, after],
    subscribers,
    rules,
  );
  if (accessChange.lose) await clearFormerMembers(tx, after, accessChange.lose);
  const update = model.channels.channelUpdateEvent(
    accessChange.keep,
    rules,
    after,
    ['invite_only', after.isPrivate],
    {
      history_public_to_subscribers: after.sharesHistory,
      is_web_public: after.isWebPublic,
    },
  );
  return {
    channel: after,
    events: [
      ...model.channels.channelAddedEvents(accessChange.gain, rules, after, facts, subscribers),
      update,
      ...model.channels.channelRemovedEvents(accessChange.lose, rules, after),
    ],
    notices: [
      (text) =>
        text.channel.access(
          model.messages.silentMention(actor),
          privacyName(before, text),
          privacyName(after, text),
        ),
    ],
  };
}

function requestedPrivacy(before: ChannelRow, { isPrivate, isWebPublic, sharesHistory }: PrivacyChanges) {
  const willBePrivate = isPrivate ?? before.isPrivate;
  return {
    isPrivate: willBePrivate,
    isWebPublic: isWebPublic ?? (before.isWebPublic && !willBePrivate),
    sharesHistory: sharesHistory ?? (willBePrivate ? before.sharesHistory : true),
  };
}
