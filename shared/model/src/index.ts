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
export {
  type SweptRealms,
  bigintArray,
  hasId,
  intArray,
  isAmong,
  isBigId,
  isId,
  isOfUser,
  isSwept,
} from './ids.ts';
export { isNamed } from './is-named.ts';
export {
  isUnprintable,
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

// The nouns stand in the order in which they may import each other: each those above it.
export * as permissions from './permissions/index.ts';
export * as emoji from './emoji/index.ts';
export * as realms from './realms/index.ts';
export * as realmDomains from './realm-domains/index.ts';
export * as mails from './mails/index.ts';
export * as access from './access/index.ts';
export * as alertWords from './alert-words/index.ts';
export * as drafts from './drafts/index.ts';
export * as botStorage from './bot-storage/index.ts';
export * as files from './files/index.ts';
export * as linkifiers from './linkifiers/index.ts';
export * as mutedUsers from './muted-users/index.ts';
export * as pushTokens from './push-tokens/index.ts';
export * as navigationViews from './navigation-views/index.ts';
export * as onboardingSteps from './onboarding-steps/index.ts';
export * as playgrounds from './playgrounds/index.ts';
export * as profileFields from './profile-fields/index.ts';
export * as reactions from './reactions/index.ts';
export * as reminders from './reminders/index.ts';
export * as scheduledMessages from './scheduled-messages/index.ts';
export * as deferred from './deferred/index.ts';
export * as savedSnippets from './saved-snippets/index.ts';
export * as submessages from './submessages/index.ts';
export * as channelFolders from './channel-folders/index.ts';
export * as linkPreviews from './link-previews/index.ts';
export * as users from './users/index.ts';
export * as emailChanges from './email-changes/index.ts';
export * as invitations from './invitations/index.ts';
export * as exports from './exports/index.ts';
export * as archiveImports from './archive-imports/index.ts';
export * as sessions from './sessions/index.ts';
export * as signIn from './sign-in/index.ts';
export * as userGroups from './user-groups/index.ts';
export * as userStatus from './user-status/index.ts';
export * as presence from './presence/index.ts';
export * as channels from './channels/index.ts';
export * as defaultChannels from './default-channels/index.ts';
export * as topics from './topics/index.ts';
export * as userTopics from './user-topics/index.ts';
export * as attachments from './attachments/index.ts';
export * as partialUploads from './partial-uploads/index.ts';
export * as texts from './texts/index.ts';
export * as messages from './messages/index.ts';
export * as digests from './digests/index.ts';
export * as notifications from './notifications/index.ts';
export * as accessChanges from './access-changes/index.ts';
export * as bots from './bots/index.ts';
export * as webhookDeliveries from './webhook-deliveries/index.ts';
export * as dueWork from './due-work/index.ts';
