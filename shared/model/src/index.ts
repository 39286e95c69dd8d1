// The nouns stand in the order in which they may import each other: each those above it.
export {
  type Actor,
  type AudienceRealm,
  actorOf,
  isAdministrator,
  isBot,
  isGuest,
  isModerator,
  isOwner,
  type Realm,
} from './actor.ts';
export { fieldError } from './field-error.ts';
export { intArray, isAmong, isId } from './ids.ts';
export { isNamed } from './is-named.ts';
export {
  parseChannelDescription,
  parseChannelFolderName,
  parseChannelName,
  parseDefaultChannelGroupName,
  parseEmail,
  parseFullName,
  parseOptional,
  parseTextField,
  parseUserGroupName,
} from './names.ts';
export { toSeconds } from './time.ts';
export { emailVisibilities } from './email-visibility.ts';

export { assertAdministrator, assertHuman, assertMember, assertOwner } from './permissions/assert.ts';
export { assertExpectedSetting, isSameSetting, parseGroupSetting } from './permissions/group-setting.ts';
export { getRules, type Rules } from './permissions/rules.ts';
export { type Member, systemGroups, systemGroupsOf } from './permissions/system-groups.ts';

export { extraEmoji, type ReactionType } from './emoji/extra.ts';
export {
  assertUsableEmoji,
  completeEmoji,
  type Emoji,
  type EmojiRequest,
  getEmoji,
  getReactionType,
  resolveEmoji,
} from './emoji/resolve.ts';
export { emojiState } from './emoji/state.ts';
export { unicodeEmojiNames } from './emoji/unicode-names.ts';
export { findUnicodeEmojiCode, isUnicodeEmojiCode } from './emoji/unicode.ts';

export { findRealm, findRenamedRealm, getLogHead, getRealm } from './realms/find.ts';
export { listRealms } from './realms/list.ts';
export { realmNameProblem, takenNameProblem } from './realms/name.ts';
export { operatorOf } from './realms/operator.ts';
export {
  presentRealmPicture,
  type RealmPictureKind,
  realmPictureColumns,
  realmPictureKinds,
  realmPictureUrl,
} from './realms/pictures.ts';
export { neighbourUrl, realmAt, type Site } from './realms/site.ts';
export { findSpectator, isOpenToSpectators, isSpectator, presentToSpectators } from './realms/spectator.ts';

export { assertEmailAllowed, createEmailCheck } from './realm-domains/email-refusal.ts';
export { listRealmDomains } from './realm-domains/find.ts';
export { parseRealmDomain } from './realm-domains/parse.ts';
export { presentRealmDomain, realmDomainsState } from './realm-domains/state.ts';

export { type WaitingMail, findMail, listDueMails } from './mails/find.ts';

export { mayReadAttachment } from './access/attachments.ts';
export {
  channelAccessChange,
  channelAudience,
  metadataSettings,
  toChannelAudience,
  withRulesVersion,
} from './access/channel-audiences.ts';
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
} from './access/channel-permissions.ts';
export {
  findChannel,
  getReadableChannel,
  getVisibleChannel,
  listVisibleChannels,
} from './access/channels.ts';
export { maySeeEmail } from './access/emails.ts';
export {
  listPermittedReaders,
  messageAudience,
  messageOrdinalSpans,
  type MessagePlace,
} from './access/message-audiences.ts';
export { joinMessageReader, readableMessageCondition } from './access/message-visibility.ts';
export { findMessage, getMessage, lockChangeableMessage, type MessageAccess } from './access/messages.ts';
export {
  emailAudiences,
  emailVisibilityAudiences,
  guestsWithoutAccess,
  listGuestIds,
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
  type AlertWordCache,
  type AlertWordMatcher,
  createAlertWordCache,
  createAlertWordMatcher,
  noAlertWords,
} from './alert-words/matcher.ts';
export { alertWordsState } from './alert-words/state.ts';

export { assertSynchronizesDrafts, draftsState, listDrafts, presentDraft } from './drafts/state.ts';

export { readStorage } from './bot-storage/read.ts';

export { listDueFolderDeletions } from './files/due-deletions.ts';
export {
  avatarPlace,
  emojiPlace,
  exportUrl,
  newExportFolder,
  newPicturePath,
  newEmojiFolder,
  newUploadPath,
  realmPicturePlace,
  uploadPlace,
  partialUploadFolder,
} from './files/places.ts';

export { getCompiledLinkifiers, getLinkifier, listLinkifiers } from './linkifiers/find.ts';
export { linkifiersEvent } from './linkifiers/present.ts';
export { linkifiersState } from './linkifiers/state.ts';

export { mutedUsersState } from './muted-users/state.ts';

export { listDevices } from './push-tokens/find.ts';

export { navigationViewsState, presentNavigationView } from './navigation-views/state.ts';

export { onboardingStepsState } from './onboarding-steps/state.ts';

export { listPlaygrounds } from './playgrounds/find.ts';
export { playgroundsEvent } from './playgrounds/present.ts';
export { playgroundsState } from './playgrounds/state.ts';

export { getProfileField, selectProfileFields, sortProfileFields } from './profile-fields/find.ts';
export { profileFieldsEvent } from './profile-fields/present.ts';
export { presentProfileValue } from './profile-fields/profiles.ts';
export { presentRealmProfileFields, profileFieldsState } from './profile-fields/state.ts';

export { listReactions, presentReaction, type ReactionRow } from './reactions/find.ts';

export { presentReminder, remindersState } from './reminders/state.ts';

export { presentScheduledMessage, scheduledMessagesState } from './scheduled-messages/state.ts';

export { findDue, listDueJobs } from './deferred/due.ts';

export { presentSavedSnippet, savedSnippetsState } from './saved-snippets/state.ts';

export { countSubmessages, findWidget, hasWidget, listSubmessages } from './submessages/find.ts';
export { parseWidget, widgetFromText, widgetTypeOf } from './submessages/widget.ts';

export { listChannelFolders } from './channel-folders/find.ts';
export { presentChannelFolder } from './channel-folders/present.ts';
export { channelFoldersState } from './channel-folders/state.ts';

export { listStalePageAddresses } from './link-previews/find.ts';

export { presentAccount, presentAccounts } from './users/accounts.ts';
export { listAdministratorIds } from './users/administrators.ts';
export {
  countAccountsWithEmail,
  countOwners,
  findUserByEmail,
  getActiveActor,
  getUser,
  listAccountsWithEmail,
  listHumans,
  listUsers,
  listUsersByEmail,
} from './users/find.ts';
export { listAccounts } from './users/list.ts';
export { hashNewPassword } from './users/new-password.ts';
export { verifyPassword } from './users/password.ts';
export {
  type AvatarSize,
  avatarSizes,
  avatarUrl,
  presentAvatar,
  presentUser,
  publicEmail,
  unknownSenderFields,
  usesGravatar,
} from './users/present.ts';
export { type EmailChangeMail, findEmailChangeMail, listDueEmailChanges } from './email-changes/find.ts';
export { emailChangeKey, emailChangePath, readEmailChangeKey } from './email-changes/key.ts';
export { defaultSettingsState, legacySettingsState, settingsState } from './users/settings-state.ts';
export { ownEntries, ownUserState, sharedUserLists, userListsKey, userListsState } from './users/state.ts';
export { listAccountsPastWaitingPeriod } from './users/waiting-period.ts';

export {
  assertPending,
  findInvitation,
  type Invitation,
  isPending,
  listInvitations,
  mayInviteAs,
} from './invitations/find.ts';
export { invitationKey, invitationUrl, readInvitationKey } from './invitations/key.ts';
export { presentInvitation } from './invitations/present.ts';

export { exportConsentEvent, listExportConsents } from './exports/consents.ts';
export {
  findDownload,
  findExport,
  listDueExports,
  listExportParts,
  listExpiredExports,
} from './exports/find.ts';
export { exportsEvent, listShownExports } from './exports/present.ts';
export { estimateExport, type ExportSize } from './exports/size.ts';

export { getSessionActor } from './sessions/find.ts';

export { enabledMethods, presentMethods } from './sign-in/methods.ts';

export { getUserGroup, listUserGroupsById } from './user-groups/find.ts';
export {
  inGroupsCondition,
  isDirectMember,
  listDirectSubgroups,
  listMembers,
  listSubgroups,
} from './user-groups/members.ts';
export { permissionsOf, presentUserGroup } from './user-groups/present.ts';
export { userGroupsState } from './user-groups/state.ts';
export { findGroupUses } from './user-groups/uses.ts';

export { getActiveHuman, getUserStatus, userStatusState } from './user-status/find.ts';

export { getPresence } from './presence/find.ts';
export { slimPresence } from './presence/present.ts';
export { presenceState } from './presence/state.ts';

export {
  type ChannelReference,
  listChannelsWithChangedActivity,
  recentlyActiveChannelCondition,
} from './channels/activity.ts';
export { getChannelEmailAddress } from './channels/email-address.ts';
export {
  archivedChannelFields,
  channelAddedEvents,
  channelRemovedEvents,
  channelUpdateEvent,
  firstMessageIdPlaceholder,
  subscriptionAddedEvents,
} from './channels/events.ts';
export {
  isSubscribedTo,
  listChannelHeads,
  listSubscribedChannelIds,
  listSubscribers,
  listVisibleSubscribedChannelIds,
} from './channels/find.ts';
export { firstMessageIdEvent, refreshedFirstMessageIdEvent } from './channels/first-message.ts';
export { type ChannelHead, legacyPostPolicy, type Membership, presentChannel } from './channels/present.ts';
export {
  type ChannelRecord,
  channelsState,
  type IncludeSubscribers,
  listChannelRecords,
  presentVisibleChannel,
  subscriptionsState,
} from './channels/state.ts';

export {
  defaultChannelsEvent,
  defaultChannelsState,
  listDefaultChannels,
} from './default-channels/channels.ts';
export { defaultChannelGroupsEvent, defaultChannelGroupsState } from './default-channels/groups.ts';

export { findTopic } from './topics/find.ts';
export { getReadableTopic, listTopics } from './topics/list.ts';

export { automaticTopicPolicy } from './user-topics/automatic-policy.ts';
export { findTopicPolicies, listUserTopics } from './user-topics/find.ts';
export { moreVisiblePolicy, topicPolicies } from './user-topics/policies.ts';
export { mutedTopicsState, userTopicsState } from './user-topics/state.ts';

export { attachmentEvent, attachmentRemovedEvent } from './attachments/events.ts';
export { findAttachment } from './attachments/find.ts';
export { listOwnAttachments } from './attachments/list.ts';
export { presentAttachment } from './attachments/present.ts';
export { listReadableAttachments } from './attachments/readable.ts';
export { listUnreferencedAttachments, unreferencedAttachmentCondition } from './attachments/unreferenced.ts';
export { toUploadPathId } from './attachments/upload-path.ts';
export { getUploadUsage } from './attachments/usage.ts';

export { findPartialUpload, listPieces } from './partial-uploads/find.ts';

export { type TextOptions, getTextOptions } from './texts/options.ts';
export { parseText } from './texts/parse.ts';
export { compiledLinkifiers } from './texts/parser-options.ts';
export { pictureUrls } from './texts/pictures.ts';
export { renderParsedText, renderText, resolveParsedText } from './texts/render.ts';
export { resolveTextReferences } from './texts/resolve.ts';

export { findMessageAwaitingPreviews, listMessagesAwaitingPreviews } from './messages/awaiting-previews.ts';
export { type Anchor, fetchMessageIds, fetchMessages, fetchMessagesByIds } from './messages/fetch.ts';
export { listMessageHistory } from './messages/history.ts';
export { silentGroupMention, silentMention, topicMention } from './messages/mentions.ts';
export { findNarrowMatches } from './messages/narrow-matches.ts';
export type { NarrowTerm } from './messages/narrow-names.ts';
export { findTopicSpelling } from './messages/changes.ts';
export { type ExpiredPlace, listExpiredPlaces } from './messages/expired.ts';
export { stopWords } from './messages/stop-words.ts';
export { previewMessage } from './messages/preview.ts';
export { listMessageReaders } from './messages/read-receipts.ts';
export { getMaxMessageId } from './messages/state.ts';
export { isMeMessage, parseMessageContent, parseTopicName, truncateTopic } from './messages/text.ts';
export {
  fromUnreadMessages,
  joinMessageMutes,
  messageMutedCondition,
  messageUnreadCondition,
  recentConversationsState,
  starredMessagesState,
  unreadMessagesState,
} from './messages/unread.ts';

export { listDigestReaders, readDigest } from './digests/find.ts';
export { listDueNotifications, listRealmsWithNews } from './notifications/due.ts';
export {
  type NotifiedUser,
  type WantedMessages,
  findNotifiedUser,
  findWantedMessages,
} from './notifications/find.ts';
export { readUnsubscribeKey, unsubscribeUrl } from './notifications/unsubscribe-key.ts';
export { wantedNotifications } from './notifications/wanted.ts';

export {
  guestRestrictionEvents,
  newConversationAccessEvents,
  withAccessChanges,
} from './access-changes/events.ts';

export { botAddedEvent, botOwnershipEvents, botUpdatedEvent } from './bots/events.ts';
export { getBot, getBotDefaults, listOwnBots, resolveBotChannelId } from './bots/find.ts';
export { hideChannelNames, presentBot, presentBots } from './bots/present.ts';
export { botsState } from './bots/state.ts';

export { listDueWebhookDeliveries, nextWebhookDelivery } from './webhook-deliveries/due.ts';
export {
  type WebhookDelivery,
  countWebhookFailures,
  findWebhookDelivery,
  listWebhookFailures,
} from './webhook-deliveries/find.ts';
export { findWebhookMessage } from './webhook-deliveries/message.ts';

export { listDueWork } from './due-work/list.ts';
