export { Client, capabilityNames, clientKey, isMirror } from './client.ts';
export { type LogEvent, Entry, EntryAudience } from './entry.ts';
export { type Ephemeral, PublishedEphemeral } from './ephemeral.ts';
export { errorFields } from './error-fields.ts';
export { type ErrorCode, ApiError, errorStatus, notReady, realmDeactivated } from './errors.ts';
export { ephemeralEvents } from './events/ephemeral.ts';
export { type EventFamily, type NodeValues, event } from './events/family.ts';
export { eventFamilies, events, sentEvents } from './events/index.ts';
export { flagsFor } from './events/message.ts';
export type { BotChange } from './events/realm-bot.ts';
export type { UserChange } from './events/realm-user.ts';
export type { ChannelProperty } from './events/stream.ts';
export { type SubscriptionProperty, subscriptionProperties } from './events/subscription.ts';
export type { UnreadDetail } from './events/update-message-flags.ts';
export { type PropagateMode, noSharedFlags, propagateModes } from './events/update-message.ts';
export { MutedTopic } from './events/user-topic.ts';
export { type NotificationKind, notificationTimes } from './notifications.ts';
export { type DeviceService, type PushService, pushServices } from './push.ts';
export { type Job, type JobName, jobNames } from './jobs.ts';
export { productVersion, versionFields } from './levels.ts';
export {
  exportTimes,
  fileTimes,
  importLimits,
  invitationTimes,
  limits,
  mailTimes,
  pageLimits,
  pageTimes,
  queueTimes,
  scheduleTimes,
  sessionTimes,
  thumbnailFormats,
  webhookLimits,
  webhookTimes,
} from './limits.ts';
export type { MailContent } from './mails.ts';
export { checkQueueNarrow, passesNarrow } from './narrow/queue-narrow.ts';
export { Attachment } from './objects/attachment.ts';
export { LoggedBot } from './objects/bot.ts';
export {
  type TopicsPolicy,
  Channel,
  ChannelFolder,
  DefaultChannelGroup,
  InheritedSettings,
  Subscription,
  topicsPolicies,
  subscriptionFor,
} from './objects/channel.ts';
export { TopicName, emptyTopicDisplayName, topicNamer } from './objects/topic-name.ts';
export { type DraftType, Draft, draftTypes } from './objects/draft.ts';
export { RealmEmoji } from './objects/emoji.ts';
export {
  type ArchivePlace,
  type RefusalCode,
  type RefusalValues,
  ImportRefusal,
  refusalSentence,
  refusalSentences,
} from './objects/import-refusal.ts';
export {
  type PlainReasonCode,
  type ReasonCode,
  type ReasonValues,
  reasonSentence,
  reasonSentences,
} from './objects/import-reason.ts';
export { type SentenceValues } from './objects/sentences.ts';
export { Invite } from './objects/invite.ts';
export { Linkifier } from './objects/linkifier.ts';
export {
  DisplayRecipient,
  EditHistoryEntry,
  FetchedMessage,
  MessageSnapshot,
  Reaction,
  Submessage,
  messageFor,
  resolvedPrefix,
} from './objects/message.ts';
export { NavigationView, builtInViews } from './objects/navigation-view.ts';
export { OnboardingStep, onboardingSteps } from './objects/onboarding-step.ts';
export { WebhookFailure, WebhookPayload, type WebhookTrigger } from './objects/outgoing-webhook.ts';
export { Playground } from './objects/playground.ts';
export {
  LegacyPresence,
  SlimPresence,
  legacyPresence,
  presenceHistoryDays,
  presenceTimes,
} from './objects/presence.ts';
export { ProfileField, ProfileValue, externalAccounts, profileFieldTypes } from './objects/profile-field.ts';
export { RealmDomain } from './objects/realm-domain.ts';
export {
  type ArchivedKind,
  ArchiveImport,
  ArchivePlan,
  ImportProgress,
  type ImportSource,
  archivedKinds,
  importSources,
} from './objects/archive-import.ts';
export { ExportConsent, RealmExport, exportTypes } from './objects/realm-export.ts';
export { Reminder } from './objects/reminder.ts';
export { SavedSnippet } from './objects/saved-snippet.ts';
export { ScheduledMessage } from './objects/scheduled-message.ts';
export { UserGroup } from './objects/user-group.ts';
export { UserStatus } from './objects/user-status.ts';
export { type Role, User, botTypes, presentUnknown, roles, unknownUser } from './objects/user.ts';
export {
  type ActionResult,
  type Audience,
  type MembershipChange,
  type PendingEvent,
  ephemeralOnly,
  to,
  type PendingFlags,
  gatheredFlagsMax,
} from './pending-event.ts';
export { QueueIds, denseLayout, queueIds, registeredId, roomsFor } from './queue-ids.ts';
export { type IdForm, QueueRecord } from './queue-record.ts';
export {
  type AuthenticationMethod,
  AuthenticationMethodsState,
  authenticationMethods,
} from './settings/authentication.ts';
export {
  type ChannelGroupSetting,
  type ChannelGroupSettings,
  type GroupPermission,
  type RealmGroupSetting,
  type RealmGroupSettings,
  type UserGroupSetting,
  type UserGroupSettings,
  GroupSetting,
  GroupSettingChange,
  GroupSettingInput,
  channelGroupNames,
  channelGroupSettings,
  realmGroupRows,
  realmGroupSettings,
  userGroupNames,
  userGroupSettings,
} from './settings/groups.ts';
export { languageName } from './settings/language.ts';
export {
  type RealmSetting,
  type RealmSettings,
  derivedFields,
  fullRealmSettings,
  realmSettingRows,
  realmSettings,
  giphyRatings,
  videoChatProviders,
} from './settings/realm.ts';
export { TimeZone } from './settings/timezone.ts';
export {
  type LegacyEvent,
  type UserDefaults,
  type UserSetting,
  type UserSettings,
  emojiSets,
  fullUserSettings,
  notificationSounds,
  userSettingRows,
  userSettings,
} from './settings/user.ts';
export { unsafeCharacters } from './unsafe-characters.ts';
export { readsZulipNames, withZulipNames } from './zulip-names.ts';
