import type { Endpoint } from '../endpoint.ts';
import { alertWordRoutes } from './alert-words.ts';
import { avatarRoutes } from './avatars.ts';
import { botRoutes } from './bots.ts';
import { channelChangeRoutes } from './channels/change.ts';
import { defaultChannelRoutes } from './channels/defaults.ts';
import { channelFolderRoutes } from './channels/folders.ts';
import { channelListRoutes } from './channels/list.ts';
import { subscriptionRoutes } from './channels/subscriptions.ts';
import { emojiRoutes } from './emoji.ts';
import { linkifierRoutes } from './linkifiers.ts';
import { loginRoutes } from './login.ts';
import { deleteRoutes } from './messages/delete.ts';
import { editRoutes } from './messages/edit.ts';
import { fetchRoutes } from './messages/fetch.ts';
import { flagRoutes } from './messages/flags.ts';
import { historyRoutes } from './messages/history.ts';
import { lookRoutes } from './messages/look.ts';
import { reactionRoutes } from './messages/reactions.ts';
import { sendRoute } from './messages/send.ts';
import { submessageRoutes } from './messages/submessages.ts';
import { mutedUserRoutes } from './muted-users.ts';
import { playgroundRoutes } from './playgrounds.ts';
import { presenceRoutes } from './presence.ts';
import { profileFieldRoutes } from './profile-fields.ts';
import { realmRoutes } from './realm.ts';
import { registerRoutes } from './register.ts';
import { serverRoutes } from './server.ts';
import { settingRoutes } from './settings.ts';
import { typingRoutes } from './typing.ts';
import { uploadRoutes } from './uploads.ts';
import { userStatusRoutes } from './user-status.ts';
import { userTopicRoutes } from './user-topics.ts';
import { userRoutes } from './users.ts';

/** All endpoints of API nodes. Hono takes the first that matches a path. */
export const endpoints: readonly Endpoint[] = [
  ...serverRoutes,
  ...loginRoutes,
  ...registerRoutes,
  sendRoute,
  ...submessageRoutes,
  ...typingRoutes,
  ...lookRoutes,
  ...flagRoutes,
  ...fetchRoutes,
  ...editRoutes,
  ...deleteRoutes,
  ...historyRoutes,
  ...userRoutes,
  ...presenceRoutes,
  ...userStatusRoutes,
  ...channelListRoutes,
  ...channelChangeRoutes,
  ...defaultChannelRoutes,
  ...channelFolderRoutes,
  ...userTopicRoutes,
  // These match `/users/me/subscriptions/:stream_id`, so they come after `/users/me/subscriptions/muted_topics`.
  ...subscriptionRoutes,
  ...settingRoutes,
  ...realmRoutes,
  ...alertWordRoutes,
  ...mutedUserRoutes,
  ...profileFieldRoutes,
  ...linkifierRoutes,
  ...playgroundRoutes,
  ...botRoutes,
  ...reactionRoutes,
  ...emojiRoutes,
  ...uploadRoutes,
  ...avatarRoutes,
];
