import { z } from 'zod';

import * as messages from './messages.ts';
import * as people from './people.ts';
import * as places from './places.ts';
import * as profiles from './profiles.ts';

/** What the rows of each table may be. What the server makes itself, such as HTML, comes out empty. */
export const rowSchemas: Readonly<Record<string, z.ZodType>> = {
  realms: people.realms,
  users: people.users,
  user_groups: people.user_groups,
  user_group_subgroups: people.user_group_subgroups,
  realm_emoji: people.realm_emoji,
  realm_domains: people.realm_domains,
  bot_services: people.bot_services,
  presences: people.presences,
  invitations: people.invitations,
  custom_profile_fields: profiles.custom_profile_fields,
  custom_profile_values: profiles.custom_profile_values,
  linkifiers: profiles.linkifiers,
  playgrounds: profiles.playgrounds,
  user_statuses: profiles.user_statuses,
  alert_words: profiles.alert_words,
  muted_users: profiles.muted_users,
  bot_storage: profiles.bot_storage,
  saved_snippets: profiles.saved_snippets,
  navigation_views: profiles.navigation_views,
  onboarding_steps_seen: profiles.onboarding_steps_seen,
  channel_folders: places.channel_folders,
  conversations: places.conversations,
  channels: places.channels,
  default_channel_groups: places.default_channel_groups,
  topics: places.topics,
  conversation_members: places.conversation_members,
  conversation_heads: places.conversation_heads,
  user_topics: places.user_topics,
  drafts: places.drafts,
  scheduled_messages: places.scheduled_messages,
  scheduled_message_attachments: places.scheduled_message_attachments,
  reminders: places.reminders,
  message_moves: places.message_moves,
  attachments: messages.attachments,
  link_previews: messages.link_previews,
  messages: messages.messages,
  message_flags: messages.message_flags,
  message_edits: messages.message_edits,
  reactions: messages.reactions,
  submessages: messages.submessages,
  message_attachments: messages.message_attachments,
};

/** Returns the columns that rows of a table have in an archive. */
export function columnsOf(table: string): string[] {
  const schema = rowSchemas[table];
  const object = schema instanceof z.ZodPipe ? schema.in : schema;
  return object instanceof z.ZodObject ? Object.keys(object.shape) : [];
}
