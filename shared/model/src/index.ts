export { introductionEvents, restrictionEvents, withAccessChanges } from './access-changes/events.ts';
export { mayReadAttachment } from './access/attachments.ts';
export {
  type Home,
  channelAccessChange,
  channelAudience,
  toChannelAudience,
  underRules,
} from './access/channel-audiences.ts';
export {
  hasChannelPermission,
  mayAddSubscribers,
  mayAdministerChannel,
  mayCreateChannel,
  mayReadChannel,
  mayRemoveSubscribers,
  maySeeChannel,
  maySendToChannel,
  type ChannelAccess,
} from './access/channel-permissions.ts';
export {
  findChannel,
  getReadableChannel,
  getVisibleChannel,
  listVisibleChannels,
} from './access/channels.ts';
export { maySeeEmail } from './access/emails.ts';
export {
  type MessagePlace,
  listPermittedReaders,
  messageAudience,
  ordinalSpans,
} from './access/message-audiences.ts';
export { joinReader, visibleTo } from './access/message-visibility.ts';
export { type MessageAccess, getChangeableMessage, getMessage } from './access/messages.ts';
export {
  emailAudiences,
  emailVisibilityAudiences,
  guestsWithoutAccess,
  listGuests,
  toAudience,
  userAudience,
} from './access/user-audiences.ts';
export {
  filterAccessible,
  inaccessibleUserIds,
  restrictsGuests,
  subscribersWithoutAccess,
} from './access/users.ts';
export {
  type Actor,
  type Realm,
  actorOf,
  isAdministrator,
  isBot,
  isGuest,
  isModerator,
  isOwner,
} from './actor.ts';
export {
  type AlertWordCache,
  type AlertWordMatcher,
  createAlertWordCache,
  createAlertWordMatcher,
  noAlertWords,
} from './alert-words/matcher.ts';
export { alertWordsState } from './alert-words/state.ts';
export { attachmentEvent, attachmentRemovedEvent } from './attachments/events.ts';
export { findAttachment } from './attachments/find.ts';
export { uploadPathOf } from './attachments/links.ts';
export { listOwnAttachments } from './attachments/list.ts';
export { presentAttachment } from './attachments/present.ts';
export { listReadableAttachments } from './attachments/readable.ts';
export { isUnreferencedSince, listUnreferencedAttachments } from './attachments/unreferenced.ts';
export { getUploadUsage } from './attachments/usage.ts';
export { botAddedEvent, botOwnershipEvents, botUpdatedEvent } from './bots/events.ts';
export { findBotChannel, getBot, getBotDefaults, listOwnBots } from './bots/find.ts';
export { presentBot, presentBots } from './bots/present.ts';
export { botsState } from './bots/state.ts';
export { getFolder, getLiveFolder, listFolders } from './channel-folders/find.ts';
export { presentFolder } from './channel-folders/present.ts';
export { channelFoldersState } from './channel-folders/state.ts';
export { type ChannelOfRealm, isRecentlyActive, listChangedActivity } from './channels/activity.ts';
export { getEmailAddress } from './channels/email-address.ts';
export {
  archivedMark,
  channelAddedEvents,
  channelRemovedEvents,
  channelUpdateEvent,
  firstMessageIdIn,
  subscriptionAddedEvents,
} from './channels/events.ts';
export {
  isSubscribedTo,
  listChannelHeads,
  listChannelIdsOf,
  listSubscribedIds,
  listSubscribers,
} from './channels/find.ts';
export { firstMessageEvent, firstMessageRefresh } from './channels/first-message.ts';
export { type ChannelFacts, type Membership, legacyPostPolicy, presentChannel } from './channels/present.ts';
export {
  type IncludeSubscribers,
  type VisibleChannel,
  channelsState,
  listChannels,
  presentVisibleChannel,
  subscriptionsState,
} from './channels/state.ts';
export {
  defaultChannelsEvent,
  defaultChannelsState,
  listDefaultChannels,
} from './default-channels/channels.ts';
export { defaultGroupsEvent, defaultGroupsState } from './default-channels/groups.ts';
export { type ReactionType, extraEmoji } from './emoji/extra.ts';
export {
  type EmojiRequest,
  checkEmoji,
  completeEmoji,
  getEmoji,
  getReactionType,
  resolveEmoji,
} from './emoji/resolve.ts';
export { emojiState, extraEmojiUrl } from './emoji/state.ts';
export { unicodeNames } from './emoji/unicode-names.ts';
export { isUnicodeCode } from './emoji/unicode.ts';
export { fieldError } from './field-error.ts';
export { listDueDeletions } from './files/due.ts';
export { avatarPlace, newAvatarPath, newUploadPath, uploadPlace } from './files/places.ts';
export { intArray, isId } from './ids.ts';
export { listStalePages } from './link-previews/find.ts';
export { getLinkifier, getLinkifiers, listLinkifiers } from './linkifiers/find.ts';
export { linkifiersEvent } from './linkifiers/present.ts';
export { linkifiersState } from './linkifiers/state.ts';
export { findDuePreviews, listDuePreviews } from './messages/due-previews.ts';
export { type Anchor, fetchByIds, fetchPage, fetchRange } from './messages/fetch.ts';
export { listHistory } from './messages/history.ts';
export { silentMention, topicMention } from './messages/links.ts';
export { findMatches } from './messages/matches.ts';
export type { Term } from './messages/narrow.ts';
export { previewMessage } from './messages/preview.ts';
export { listReaders } from './messages/read-receipts.ts';
export { maxMessageId } from './messages/state.ts';
export { isMeMessage, parseContent, parseTopicName } from './messages/text.ts';
export {
  fromUnread,
  isMuted,
  isUnread,
  joinMutes,
  recentConversationsState,
  starredState,
  unreadState,
} from './messages/unread.ts';
export { mutedUsersState } from './muted-users/state.ts';
export { assertExpectedSetting, isSameSetting, parseGroupSetting } from './permissions/group-setting.ts';
export { type Rules, getRules } from './permissions/rules.ts';
export { systemGroups, systemGroupsOf } from './permissions/system-groups.ts';
export { listPlaygrounds } from './playgrounds/find.ts';
export { playgroundsEvent } from './playgrounds/present.ts';
export { playgroundsState } from './playgrounds/state.ts';
export { getPresence } from './presence/find.ts';
export { slimPresence } from './presence/present.ts';
export { presenceState } from './presence/state.ts';
export { getProfileField, inFieldOrder, selectFields } from './profile-fields/find.ts';
export { profileFieldsEvent } from './profile-fields/present.ts';
export { presentValue } from './profile-fields/profiles.ts';
export { presentProfileFields, profileFieldsState } from './profile-fields/state.ts';
export { type ReactionRow, presentReaction } from './reactions/find.ts';
export { findRealm, getLogHead, getRealm, realmIconUrl } from './realms/find.ts';
export { type Site, realmAt } from './realms/site.ts';
export { findSpectator, isOpenToSpectators, isSpectator, presentToSpectators } from './realms/spectator.ts';
export { countSubmessages, findWidget, hasWidget } from './submessages/find.ts';
export { parseWidget, widgetIn, widgetTypeOf } from './submessages/widget.ts';
export { getTextOptions } from './texts/options.ts';
export { parseText, renderParsed, renderText, resolveParsed } from './texts/render.ts';
export { resolveReferences } from './texts/resolve.ts';
export { toSeconds } from './time.ts';
export { findTopic } from './topics/find.ts';
export { listTopics } from './topics/list.ts';
export { userGroupsState } from './user-groups/state.ts';
export { getActivePerson, getUserStatus, userStatusState } from './user-status/find.ts';
export { automaticPolicy } from './user-topics/automatic-policy.ts';
export { findTopicPolicies, listUserTopics } from './user-topics/find.ts';
export { moreVisible, topicPolicies } from './user-topics/policies.ts';
export { mutedTopicsState, userTopicsState } from './user-topics/state.ts';
export { presentAccount, presentAccounts } from './users/accounts.ts';
export {
  countOwners,
  findUserByEmail,
  getActiveAccount,
  getUser,
  listUsers,
  listUsersByEmail,
} from './users/find.ts';
export { listPastWaiting } from './users/waiting.ts';
export { listAccounts } from './users/list.ts';
export { hashPassword, isPassword } from './users/password.ts';
export {
  type AvatarSize,
  avatarSizes,
  avatarUrl,
  hasGravatar,
  hiddenSender,
  presentAvatar,
  presentUser,
  publicEmail,
} from './users/present.ts';
export { defaultSettingsState, legacySettingsState, settingsState } from './users/settings-state.ts';
export { usersState } from './users/state.ts';
export {
  parseChannelName,
  parseDefaultGroupName,
  parseDescription,
  parseEmail,
  parseFolderName,
  parseFullName,
  parseLine,
  parseOptional,
  parsePassword,
} from './names.ts';
export { assertAdministrator, assertHuman, assertMember, assertOwner } from './permissions/require.ts';
