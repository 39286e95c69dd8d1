-- online
-- What refers to an account, a group, a folder, a conversation, an invitation or an upload refers to one of the same realm.

create unique index concurrently conversations_in_realm on conversations (realm_id, id);
create unique index concurrently user_groups_in_realm on user_groups (realm_id, id);
create unique index concurrently channel_folders_in_realm on channel_folders (realm_id, id);
create unique index concurrently invitations_in_realm on invitations (realm_id, id);
create unique index concurrently attachments_in_realm on attachments (realm_id, id);

alter table alert_words add constraint realm_alert_words_user_id_fkey
  foreign key (realm_id, user_id) references users (realm_id, id) not valid;
alter table alert_words validate constraint realm_alert_words_user_id_fkey;
alter table attachments add constraint realm_attachments_owner_id_fkey
  foreign key (realm_id, owner_id) references users (realm_id, id) not valid;
alter table attachments validate constraint realm_attachments_owner_id_fkey;
alter table channel_folders add constraint realm_channel_folders_creator_id_fkey
  foreign key (realm_id, creator_id) references users (realm_id, id) not valid;
alter table channel_folders validate constraint realm_channel_folders_creator_id_fkey;
alter table channels add constraint realm_channels_creator_id_fkey
  foreign key (realm_id, creator_id) references users (realm_id, id) not valid;
alter table channels validate constraint realm_channels_creator_id_fkey;
alter table channels add constraint realm_channels_folder_id_fkey
  foreign key (realm_id, folder_id) references channel_folders (realm_id, id) not valid;
alter table channels validate constraint realm_channels_folder_id_fkey;
alter table channels add constraint realm_channels_conversation_id_fkey
  foreign key (realm_id, conversation_id) references conversations (realm_id, id) not valid;
alter table channels validate constraint realm_channels_conversation_id_fkey;
alter table email_changes add constraint realm_email_changes_user_id_fkey
  foreign key (realm_id, user_id) references users (realm_id, id) not valid;
alter table email_changes validate constraint realm_email_changes_user_id_fkey;
alter table external_identities add constraint realm_external_identities_user_id_fkey
  foreign key (realm_id, user_id) references users (realm_id, id) not valid;
alter table external_identities validate constraint realm_external_identities_user_id_fkey;
alter table invitations add constraint realm_invitations_inviter_id_fkey
  foreign key (realm_id, inviter_id) references users (realm_id, id) not valid;
alter table invitations validate constraint realm_invitations_inviter_id_fkey;
alter table invitations add constraint realm_invitations_link_id_fkey
  foreign key (realm_id, link_id) references invitations (realm_id, id) not valid;
alter table invitations validate constraint realm_invitations_link_id_fkey;
alter table partial_uploads add constraint realm_partial_uploads_user_id_fkey
  foreign key (realm_id, user_id) references users (realm_id, id) not valid;
alter table partial_uploads validate constraint realm_partial_uploads_user_id_fkey;
alter table realm_emoji add constraint realm_realm_emoji_author_id_fkey
  foreign key (realm_id, author_id) references users (realm_id, id) not valid;
alter table realm_emoji validate constraint realm_realm_emoji_author_id_fkey;
alter table realm_exports add constraint realm_realm_exports_user_id_fkey
  foreign key (realm_id, user_id) references users (realm_id, id) not valid;
alter table realm_exports validate constraint realm_realm_exports_user_id_fkey;
alter table user_groups add constraint realm_user_groups_creator_id_fkey
  foreign key (realm_id, creator_id) references users (realm_id, id) not valid;
alter table user_groups validate constraint realm_user_groups_creator_id_fkey;
alter table user_group_subgroups add constraint realm_user_group_subgroups_group_id_fkey
  foreign key (realm_id, group_id) references user_groups (realm_id, id) not valid;
alter table user_group_subgroups validate constraint realm_user_group_subgroups_group_id_fkey;
alter table user_group_subgroups add constraint realm_user_group_subgroups_subgroup_id_fkey
  foreign key (realm_id, subgroup_id) references user_groups (realm_id, id) not valid;
alter table user_group_subgroups validate constraint realm_user_group_subgroups_subgroup_id_fkey;
alter table users add constraint realm_users_bot_owner_id_fkey
  foreign key (realm_id, bot_owner_id) references users (realm_id, id) not valid;
alter table users validate constraint realm_users_bot_owner_id_fkey;
alter table message_edits add constraint realm_message_edits_user_id_fkey
  foreign key (realm_id, user_id) references users (realm_id, id) not valid;
alter table message_edits validate constraint realm_message_edits_user_id_fkey;
alter table message_flags add constraint realm_message_flags_user_id_fkey
  foreign key (realm_id, user_id) references users (realm_id, id) not valid;
alter table message_flags validate constraint realm_message_flags_user_id_fkey;
alter table message_moves add constraint realm_message_moves_user_id_fkey
  foreign key (realm_id, user_id) references users (realm_id, id) not valid;
alter table message_moves validate constraint realm_message_moves_user_id_fkey;
alter table reactions add constraint realm_reactions_user_id_fkey
  foreign key (realm_id, user_id) references users (realm_id, id) not valid;
alter table reactions validate constraint realm_reactions_user_id_fkey;
alter table submessages add constraint realm_submessages_sender_id_fkey
  foreign key (realm_id, sender_id) references users (realm_id, id) not valid;
alter table submessages validate constraint realm_submessages_sender_id_fkey;
alter table reminders add constraint realm_reminders_user_id_fkey
  foreign key (realm_id, user_id) references users (realm_id, id) not valid;
alter table reminders validate constraint realm_reminders_user_id_fkey;
alter table message_attachments add constraint realm_message_attachments_attachment_id_fkey
  foreign key (realm_id, attachment_id) references attachments (realm_id, id) on delete cascade not valid;
alter table message_attachments validate constraint realm_message_attachments_attachment_id_fkey;
alter table pending_notifications add constraint realm_pending_notifications_user_id_fkey
  foreign key (realm_id, user_id) references users (realm_id, id) not valid;
alter table pending_notifications validate constraint realm_pending_notifications_user_id_fkey;
alter table presences add constraint realm_presences_user_id_fkey
  foreign key (realm_id, user_id) references users (realm_id, id) not valid;
alter table presences validate constraint realm_presences_user_id_fkey;
alter table push_tokens add constraint realm_push_tokens_user_id_fkey
  foreign key (realm_id, user_id) references users (realm_id, id) not valid;
alter table push_tokens validate constraint realm_push_tokens_user_id_fkey;
alter table pushed_messages add constraint realm_pushed_messages_user_id_fkey
  foreign key (realm_id, user_id) references users (realm_id, id) not valid;
alter table pushed_messages validate constraint realm_pushed_messages_user_id_fkey;
alter table webhook_deliveries add constraint realm_webhook_deliveries_bot_id_fkey
  foreign key (realm_id, bot_id) references users (realm_id, id) not valid;
alter table webhook_deliveries validate constraint realm_webhook_deliveries_bot_id_fkey;

begin;
lock table
  users, alert_words, attachments, channel_folders, channels, conversations, email_changes, external_identities,
  invitations, partial_uploads, realm_emoji, realm_exports, user_groups, user_group_subgroups
  in access exclusive mode;
alter table alert_words drop constraint alert_words_user_id_fkey;
-- contract: nobody names it
alter table alert_words rename constraint realm_alert_words_user_id_fkey to alert_words_user_id_fkey;
alter table attachments drop constraint attachments_owner_id_fkey;
-- contract: nobody names it
alter table attachments rename constraint realm_attachments_owner_id_fkey to attachments_owner_id_fkey;
alter table channel_folders drop constraint channel_folders_creator_id_fkey;
-- contract: nobody names it
alter table channel_folders rename constraint realm_channel_folders_creator_id_fkey to channel_folders_creator_id_fkey;
alter table channels drop constraint channels_creator_id_fkey;
-- contract: nobody names it
alter table channels rename constraint realm_channels_creator_id_fkey to channels_creator_id_fkey;
alter table channels drop constraint channels_folder_id_fkey;
-- contract: nobody names it
alter table channels rename constraint realm_channels_folder_id_fkey to channels_folder_id_fkey;
alter table channels drop constraint channels_conversation_id_fkey;
-- contract: nobody names it
alter table channels rename constraint realm_channels_conversation_id_fkey to channels_conversation_id_fkey;
alter table email_changes drop constraint email_changes_user_id_fkey;
-- contract: nobody names it
alter table email_changes rename constraint realm_email_changes_user_id_fkey to email_changes_user_id_fkey;
alter table external_identities drop constraint external_identities_user_id_fkey;
-- contract: nobody names it
alter table external_identities rename constraint realm_external_identities_user_id_fkey to external_identities_user_id_fkey;
alter table invitations drop constraint invitations_inviter_id_fkey;
-- contract: nobody names it
alter table invitations rename constraint realm_invitations_inviter_id_fkey to invitations_inviter_id_fkey;
alter table invitations drop constraint invitations_link_id_fkey;
-- contract: nobody names it
alter table invitations rename constraint realm_invitations_link_id_fkey to invitations_link_id_fkey;
alter table partial_uploads drop constraint partial_uploads_user_id_fkey;
-- contract: nobody names it
alter table partial_uploads rename constraint realm_partial_uploads_user_id_fkey to partial_uploads_user_id_fkey;
alter table realm_emoji drop constraint realm_emoji_author_id_fkey;
-- contract: nobody names it
alter table realm_emoji rename constraint realm_realm_emoji_author_id_fkey to realm_emoji_author_id_fkey;
alter table realm_exports drop constraint realm_exports_user_id_fkey;
-- contract: nobody names it
alter table realm_exports rename constraint realm_realm_exports_user_id_fkey to realm_exports_user_id_fkey;
alter table user_groups drop constraint user_groups_creator_id_fkey;
-- contract: nobody names it
alter table user_groups rename constraint realm_user_groups_creator_id_fkey to user_groups_creator_id_fkey;
alter table user_group_subgroups drop constraint user_group_subgroups_group_id_fkey;
-- contract: nobody names it
alter table user_group_subgroups rename constraint realm_user_group_subgroups_group_id_fkey to user_group_subgroups_group_id_fkey;
alter table user_group_subgroups drop constraint user_group_subgroups_subgroup_id_fkey;
-- contract: nobody names it
alter table user_group_subgroups rename constraint realm_user_group_subgroups_subgroup_id_fkey to user_group_subgroups_subgroup_id_fkey;
alter table users drop constraint users_bot_owner_id_fkey;
-- contract: nobody names it
alter table users rename constraint realm_users_bot_owner_id_fkey to users_bot_owner_id_fkey;
commit;

begin;
lock table
  users, message_edits, message_flags, message_moves, reactions, submessages, reminders, attachments,
  message_attachments
  in access exclusive mode;
alter table message_edits drop constraint message_edits_user_id_fkey;
-- contract: nobody names it
alter table message_edits rename constraint realm_message_edits_user_id_fkey to message_edits_user_id_fkey;
alter table message_flags drop constraint message_flags_user_id_fkey;
-- contract: nobody names it
alter table message_flags rename constraint realm_message_flags_user_id_fkey to message_flags_user_id_fkey;
alter table message_moves drop constraint message_moves_user_id_fkey;
-- contract: nobody names it
alter table message_moves rename constraint realm_message_moves_user_id_fkey to message_moves_user_id_fkey;
alter table reactions drop constraint reactions_user_id_fkey;
-- contract: nobody names it
alter table reactions rename constraint realm_reactions_user_id_fkey to reactions_user_id_fkey;
alter table submessages drop constraint submessages_sender_id_fkey;
-- contract: nobody names it
alter table submessages rename constraint realm_submessages_sender_id_fkey to submessages_sender_id_fkey;
alter table reminders drop constraint reminders_user_id_fkey;
-- contract: nobody names it
alter table reminders rename constraint realm_reminders_user_id_fkey to reminders_user_id_fkey;
alter table message_attachments drop constraint message_attachments_attachment_id_fkey;
-- contract: nobody names it
alter table message_attachments rename constraint realm_message_attachments_attachment_id_fkey to message_attachments_attachment_id_fkey;
commit;

begin;
lock table
  users, pending_notifications, presences, push_tokens, pushed_messages, webhook_deliveries
  in access exclusive mode;
alter table pending_notifications drop constraint pending_notifications_user_id_fkey;
-- contract: nobody names it
alter table pending_notifications rename constraint realm_pending_notifications_user_id_fkey to pending_notifications_user_id_fkey;
alter table presences drop constraint presences_user_id_fkey;
-- contract: nobody names it
alter table presences rename constraint realm_presences_user_id_fkey to presences_user_id_fkey;
alter table push_tokens drop constraint push_tokens_user_id_fkey;
-- contract: nobody names it
alter table push_tokens rename constraint realm_push_tokens_user_id_fkey to push_tokens_user_id_fkey;
alter table pushed_messages drop constraint pushed_messages_user_id_fkey;
-- contract: nobody names it
alter table pushed_messages rename constraint realm_pushed_messages_user_id_fkey to pushed_messages_user_id_fkey;
alter table webhook_deliveries drop constraint webhook_deliveries_bot_id_fkey;
-- contract: nobody names it
alter table webhook_deliveries rename constraint realm_webhook_deliveries_bot_id_fkey to webhook_deliveries_bot_id_fkey;
commit;
