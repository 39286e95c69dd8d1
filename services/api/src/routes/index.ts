import type { JsonEndpoint } from '../endpoint/endpoint.ts';
import { alertWordRoutes } from './alert-words.ts';
import { avatarRoutes } from './avatars.ts';
import { botStorageRoutes } from './bot-storage.ts';
import { botRoutes } from './bots.ts';
import { callRoutes } from './calls.ts';
import { archiveChannelRoute } from './channels/archive.ts';
import { createChannelRoute } from './channels/create.ts';
import { defaultChannelRoutes } from './channels/defaults.ts';
import { editChannelRoute } from './channels/edit.ts';
import { channelFolderRoutes } from './channels/folders.ts';
import { channelListRoutes } from './channels/list.ts';
import { subscriptionRoutes } from './channels/subscriptions.ts';
import { commandRoutes } from './commands.ts';
import { draftRoutes } from './drafts.ts';
import { emojiRoutes } from './emoji.ts';
import { exportRoutes } from './exports.ts';
import { externalRoutes } from './external.ts';
import { importRoutes } from './imports.ts';
import { invitationRoutes } from './invitations.ts';
import { linkifierRoutes } from './linkifiers.ts';
import { loginRoutes } from './login.ts';
import { deleteRoutes } from './messages/delete.ts';
import { editRoutes } from './messages/edit.ts';
import { fetchRoutes } from './messages/fetch.ts';
import { flagRoutes } from './messages/flags.ts';
import { historyRoute } from './messages/history.ts';
import { matchesRoute } from './messages/matches.ts';
import { reactionRoutes } from './messages/reactions.ts';
import { readReceiptsRoute } from './messages/read-receipts.ts';
import { renderRoute } from './messages/render.ts';
import { reportRoute } from './messages/report.ts';
import { sendRoute } from './messages/send.ts';
import { submessageRoutes } from './messages/submessages.ts';
import { summaryRoute } from './messages/summary.ts';
import { mobilePushRoutes } from './mobile-push.ts';
import { mutedUserRoutes } from './muted-users.ts';
import { navigationViewRoutes } from './navigation-views.ts';
import { onboardingStepRoutes } from './onboarding-steps.ts';
import { playgroundRoutes } from './playgrounds.ts';
import { presenceRoutes } from './presence.ts';
import { profileFieldRoutes } from './profile-fields.ts';
import { pushTokenRoutes } from './push-tokens.ts';
import { realmDomainRoutes } from './realm-domains.ts';
import { realmPictureRoutes } from './realm-pictures.ts';
import { realmRoutes } from './realm.ts';
import { registerRoutes } from './register.ts';
import { reminderRoutes } from './reminders.ts';
import { savedSnippetRoutes } from './saved-snippets.ts';
import { scheduledMessageRoutes } from './scheduled-messages.ts';
import { serverRoutes } from './server.ts';
import { sessionRoutes } from './sessions.ts';
import { settingRoutes } from './settings.ts';
import { typingRoutes } from './typing.ts';
import { uploadRoutes } from './uploads.ts';
import { userGroupRoutes } from './user-groups.ts';
import { userStatusRoutes } from './user-status.ts';
import { userTopicRoutes } from './user-topics.ts';
import { userRoutes } from './users.ts';
import { webPushRoutes } from './web-push.ts';
import { webhookFailureRoutes } from './webhook-failures.ts';

/** The endpoints of the API itself. Hono takes the first that matches a path. */
export const routes: readonly JsonEndpoint[] = [
  ...serverRoutes,
  ...loginRoutes,
  ...registerRoutes,
  sendRoute,
  ...submessageRoutes,
  ...typingRoutes,
  // They also match `/messages/:message_id`, so they come before that.
  matchesRoute,
  summaryRoute,
  renderRoute,
  readReceiptsRoute,
  ...flagRoutes,
  ...fetchRoutes,
  ...editRoutes,
  ...deleteRoutes,
  historyRoute,
  reportRoute,
  ...userRoutes,
  ...userGroupRoutes,
  ...presenceRoutes,
  ...userStatusRoutes,
  ...channelListRoutes,
  createChannelRoute,
  editChannelRoute,
  archiveChannelRoute,
  ...defaultChannelRoutes,
  ...channelFolderRoutes,
  ...userTopicRoutes,
  // These match `/users/me/subscriptions/:stream_id`, so they come after `/users/me/subscriptions/muted_topics`.
  ...subscriptionRoutes,
  ...settingRoutes,
  ...realmRoutes,
  ...realmPictureRoutes,
  ...callRoutes,
  ...commandRoutes,
  ...draftRoutes,
  ...realmDomainRoutes,
  ...scheduledMessageRoutes,
  ...reminderRoutes,
  ...savedSnippetRoutes,
  ...navigationViewRoutes,
  ...onboardingStepRoutes,
  ...invitationRoutes,
  ...exportRoutes,
  ...importRoutes,
  ...alertWordRoutes,
  ...mutedUserRoutes,
  ...pushTokenRoutes,
  ...mobilePushRoutes,
  ...webPushRoutes,
  ...sessionRoutes,
  ...profileFieldRoutes,
  ...linkifierRoutes,
  ...playgroundRoutes,
  ...botRoutes,
  ...botStorageRoutes,
  ...webhookFailureRoutes,
  ...externalRoutes,
  ...reactionRoutes,
  ...emojiRoutes,
  ...uploadRoutes,
  ...avatarRoutes,
];
