// The nouns stand in the order in which they may import each other: each those above it. Nouns that only actions use
// stand below all of these and import none.
export type { AfterCommit } from './after-commit.ts';

export * as files from './files/index.ts';
export * as mails from './mails/index.ts';
export * as linkPreviews from './link-previews/index.ts';
export * as presence from './presence/index.ts';
export * as userStatus from './user-status/index.ts';
export * as alertWords from './alert-words/index.ts';
export * as attachments from './attachments/index.ts';
export * as botStorage from './bot-storage/index.ts';
export * as channelFolders from './channel-folders/index.ts';
export * as drafts from './drafts/index.ts';
export * as emoji from './emoji/index.ts';
export * as linkifiers from './linkifiers/index.ts';
export * as navigationViews from './navigation-views/index.ts';
export * as onboardingSteps from './onboarding-steps/index.ts';
export * as partialUploads from './partial-uploads/index.ts';
export * as playgrounds from './playgrounds/index.ts';
export * as realmDomains from './realm-domains/index.ts';
export * as profileFields from './profile-fields/index.ts';
export * as savedSnippets from './saved-snippets/index.ts';
export * as userTopics from './user-topics/index.ts';
export * as messages from './messages/index.ts';
export * as channels from './channels/index.ts';
export * as mutedUsers from './muted-users/index.ts';
export * as reactions from './reactions/index.ts';
export * as submessages from './submessages/index.ts';
export * as typing from './typing/index.ts';
export * as userGroups from './user-groups/index.ts';
export * as sessions from './sessions/index.ts';
export * as users from './users/index.ts';
export * as emailChanges from './email-changes/index.ts';
export * as invitations from './invitations/index.ts';
export * as signIn from './sign-in/index.ts';
export * as bots from './bots/index.ts';
export * as realms from './realms/index.ts';
export * as activation from './activation/index.ts';
