export { mayReadAttachment } from './attachments.ts';
export {
  channelAccessChange,
  channelAudience,
  metadataSettings,
  toChannelAudience,
  withRulesVersion,
} from './channel-audiences.ts';
export {
  type ChannelAccess,
  hasChannelPermission,
  mayAddSubscribers,
  mayAdministerChannel,
  mayCreateChannel,
  mayReadChannel,
  mayRemoveSubscribers,
  maySeeChannel,
  maySendToChannel,
} from './channel-permissions.ts';
export {
  findChannel,
  getReadableChannel,
  getVisibleChannel,
  isChannel,
  listVisibleChannels,
} from './channels.ts';
export { emailVisibleUpToRole, maySeeEmail } from './emails.ts';
export {
  listPermittedReaders,
  messageAudience,
  messageOrdinalSpans,
  type MessagePlace,
} from './message-audiences.ts';
export { joinMessageReader, readableMessageCondition } from './message-visibility.ts';
export {
  findMessage,
  getMessageConversation,
  getMessage,
  lockChangeableMessage,
  type MessageAccess,
} from './messages.ts';
export {
  emailAudiences,
  emailVisibilityAudiences,
  guestsWithoutAccess,
  listGuestIds,
  toAudience,
  userAudience,
} from './user-audiences.ts';
export { filterAccessible, inaccessibleUserIds, restrictsGuests, subscribersWithoutAccess } from './users.ts';
