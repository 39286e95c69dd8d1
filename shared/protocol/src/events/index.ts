import { z } from 'zod';

import { alertWords } from './alert-words.ts';
import { attachment } from './attachment.ts';
import { channelFolder } from './channel-folder.ts';
import { customProfileFields } from './custom-profile-fields.ts';
import { defaultStreamGroups } from './default-stream-groups.ts';
import { defaultStreams } from './default-streams.ts';
import { deleteMessage } from './delete-message.ts';
import { drafts } from './drafts.ts';
import { ephemeralEvents } from './ephemeral.ts';
import type { EventFamily } from './family.ts';
import { invitesChanged } from './invites-changed.ts';
import { keyRegenerated } from './key-regenerated.ts';
import { message } from './message.ts';
import { mutedUsers } from './muted-users.ts';
import { navigationView } from './navigation-view.ts';
import { onboardingSteps } from './onboarding-steps.ts';
import { reaction } from './reaction.ts';
import { realmBot } from './realm-bot.ts';
import { realmDomains } from './realm-domains.ts';
import { realmEmoji } from './realm-emoji.ts';
import { realmExport, realmExportConsent } from './realm-export.ts';
import { realmLinkifiers } from './realm-linkifiers.ts';
import { realmPlaygrounds } from './realm-playgrounds.ts';
import { realmRenamed } from './realm-renamed.ts';
import { realmUserSettingsDefaults } from './realm-user-settings-defaults.ts';
import { realmUser } from './realm-user.ts';
import { realm } from './realm.ts';
import { reminders } from './reminders.ts';
import { room } from './room.ts';
import { savedSnippets } from './saved-snippets.ts';
import { scheduledMessages } from './scheduled-messages.ts';
import { stream } from './stream.ts';
import { submessage } from './submessage.ts';
import { subscription } from './subscription.ts';
import { updateMessageFlags } from './update-message-flags.ts';
import { updateMessage } from './update-message.ts';
import { userGroup } from './user-group.ts';
import { userSettings } from './user-settings.ts';
import { userStatus } from './user-status.ts';
import { mutedTopics, userTopic } from './user-topic.ts';

/** Constructors of every event type that is stored in the log. */
export const events = {
  attachment,
  alertWords,
  channelFolder,
  customProfileFields,
  defaultStreamGroups,
  defaultStreams,
  deleteMessage,
  drafts,
  invitesChanged,
  keyRegenerated,
  realmRenamed,
  message,
  mutedTopics,
  mutedUsers,
  navigationView,
  onboardingSteps,
  realm,
  realmBot,
  reaction,
  realmDomains,
  realmEmoji,
  realmExport,
  realmExportConsent,
  realmLinkifiers,
  realmPlaygrounds,
  realmUser,
  reminders,
  room,
  savedSnippets,
  scheduledMessages,
  stream,
  submessage,
  subscription,
  updateMessageFlags,
  updateMessage,
  userGroup,
  userStatus,
  userTopic,
  realmUserSettingsDefaults,
  userSettings,
} as const;

/** A queue that was not sent anything for a while is sent this, with an id that it may acknowledge. */
const heartbeat = z.strictObject({ type: z.literal('heartbeat') });

/** Every form of an event that clients are sent, with the id that queues give it. */
export const sentEvents: readonly z.ZodObject[] = [
  ...[...Object.values(events), ...Object.values(ephemeralEvents)].flatMap(({ sent }) => [...sent]),
  heartbeat,
].map((form) => z.strictObject({ id: z.int(), ...form.shape }));

/** All event families by their type on the wire. */
export const eventFamilies: ReadonlyMap<string, EventFamily> = new Map(
  [...Object.values(events), ...Object.values(ephemeralEvents)].map((family) => [
    family.type,
    family as unknown as EventFamily,
  ]),
);
