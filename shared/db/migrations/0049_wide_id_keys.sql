-- online
-- Keys and indexes of the wide columns, built beside those that are used. Names that end with `alone` are of indexes for
-- nodes of the version before, which do not say the realm of a message.
create unique index concurrently wide_messages_pkey on messages (realm_id, wide_id);
create unique index concurrently wide_messages_ordinal on messages (conversation_id, ordinal) include (wide_id);
create index concurrently wide_messages_conversation on messages (conversation_id, wide_id);
create index concurrently wide_messages_channel on messages (channel_id, wide_id) where channel_id is not null;
create index concurrently wide_messages_topic on messages (topic_id, wide_id) where topic_id is not null;
create index concurrently wide_messages_sender on messages (sender_id, wide_id);
create index concurrently wide_messages_with_link on messages (realm_id, wide_id) where has_link;
create index concurrently wide_messages_with_image on messages (realm_id, wide_id) where has_image;
create index concurrently wide_messages_with_attachment on messages (realm_id, wide_id) where has_attachment;
create index concurrently wide_messages_mention_channel on messages (channel_id, wide_id) where mentions_channel;
create unique index concurrently messages_by_id_alone on messages (wide_id);
create unique index concurrently wide_message_flags_pkey on message_flags (realm_id, user_id, wide_message_id);
create index concurrently wide_message_flags_message on message_flags (realm_id, wide_message_id);
create index concurrently wide_message_flags_starred on message_flags (user_id, wide_message_id) where starred;
create index concurrently wide_message_flags_mentioned
  on message_flags (user_id, wide_message_id) where mentioned or topic_wildcard_mentioned;
create index concurrently wide_message_flags_alerted on message_flags (user_id, wide_message_id) where has_alert_word;
create unique index concurrently message_flags_by_id_alone on message_flags (user_id, wide_message_id);
create index concurrently message_flags_by_message_alone on message_flags (wide_message_id);
create index concurrently wide_message_edits_message on message_edits (realm_id, wide_message_id);
create index concurrently message_edits_by_message_alone on message_edits (wide_message_id);
create unique index concurrently wide_reactions_once
  on reactions (realm_id, wide_message_id, user_id, reaction_type, emoji_code);
create index concurrently wide_reactions_user on reactions (user_id, wide_message_id);
create index concurrently reactions_by_message_alone on reactions (wide_message_id);
create unique index concurrently wide_submessages_pkey on submessages (wide_id);
create index concurrently wide_submessages_message on submessages (realm_id, wide_message_id, wide_id);
create index concurrently submessages_by_message_alone on submessages (wide_message_id);
create unique index concurrently wide_attachments_pkey on attachments (wide_id);
create unique index concurrently wide_message_attachments_pkey
  on message_attachments (realm_id, wide_message_id, wide_attachment_id);
create index concurrently wide_message_attachments_attachment on message_attachments (wide_attachment_id);
create index concurrently message_attachments_by_message_alone on message_attachments (wide_message_id);
create unique index concurrently wide_webhook_deliveries_once on webhook_deliveries (realm_id, wide_message_id, bot_id);
create index concurrently wide_webhook_deliveries_pending
  on webhook_deliveries (bot_id, conversation_id, wide_message_id) where failed_at is null;
create unique index concurrently wide_pending_notifications_once
  on pending_notifications (realm_id, user_id, wide_message_id, kind);
create index concurrently pending_notifications_of_user on pending_notifications (user_id, kind);
create unique index concurrently wide_pushed_messages_pkey on pushed_messages (realm_id, user_id, wide_message_id);
create index concurrently wide_pushed_messages_of_message on pushed_messages (realm_id, wide_message_id);
create index concurrently pushed_messages_by_id_alone on pushed_messages (user_id, wide_message_id);
create index concurrently pushed_messages_by_message_alone on pushed_messages (wide_message_id);
create unique index concurrently wide_archived_messages_pkey on archived_messages (realm_id, wide_id);
create index concurrently archived_messages_by_id_alone on archived_messages (wide_id);
create unique index concurrently wide_reminders_pkey on reminders (wide_id);
create index concurrently wide_reminders_of_user on reminders (user_id, due_at, wide_id);
create index concurrently wide_message_moves_ids
  on message_moves using gist (int4range(realm_id, realm_id, '[]'), wide_message_ids);
create index concurrently message_moves_by_ids_alone on message_moves using gist (wide_message_ids);
create unique index concurrently wide_scheduled_messages_pkey on scheduled_messages (wide_id);
create index concurrently wide_scheduled_messages_of_user
  on scheduled_messages (user_id, due_at, wide_id) where sent_at is null;
create unique index concurrently wide_scheduled_message_attachments_pkey
  on scheduled_message_attachments (wide_scheduled_message_id, wide_attachment_id);
create index concurrently wide_scheduled_messages_of_attachment on scheduled_message_attachments (wide_attachment_id);
create unique index concurrently wide_drafts_pkey on drafts (wide_id);
create index concurrently wide_drafts_of_user on drafts (user_id, edited_at, wide_id);

alter table messages add constraint wide_ids check (wide_id is not null) not valid;
alter table messages validate constraint wide_ids;
alter table message_flags add constraint wide_ids check (wide_message_id is not null and realm_id is not null) not valid;
alter table message_flags validate constraint wide_ids;
alter table message_edits add constraint wide_ids check (wide_message_id is not null and realm_id is not null) not valid;
alter table message_edits validate constraint wide_ids;
alter table reactions add constraint wide_ids check (wide_message_id is not null and realm_id is not null) not valid;
alter table reactions validate constraint wide_ids;
alter table submessages add constraint wide_ids check (wide_id is not null and wide_message_id is not null and realm_id is not null) not valid;
alter table submessages validate constraint wide_ids;
alter table attachments add constraint wide_ids check (wide_id is not null) not valid;
alter table attachments validate constraint wide_ids;
alter table message_attachments add constraint wide_ids check (wide_message_id is not null and wide_attachment_id is not null and realm_id is not null) not valid;
alter table message_attachments validate constraint wide_ids;
alter table webhook_deliveries add constraint wide_ids check (wide_message_id is not null) not valid;
alter table webhook_deliveries validate constraint wide_ids;
alter table pending_notifications add constraint wide_ids check (wide_message_id is not null) not valid;
alter table pending_notifications validate constraint wide_ids;
alter table pushed_messages add constraint wide_ids check (wide_message_id is not null) not valid;
alter table pushed_messages validate constraint wide_ids;
alter table archived_messages add constraint wide_ids check (wide_id is not null) not valid;
alter table archived_messages validate constraint wide_ids;
alter table reminders add constraint wide_ids check (wide_id is not null and wide_message_id is not null and realm_id is not null) not valid;
alter table reminders validate constraint wide_ids;
alter table message_moves add constraint wide_ids check (wide_message_ids is not null) not valid;
alter table message_moves validate constraint wide_ids;
alter table scheduled_messages add constraint wide_ids check (wide_id is not null) not valid;
alter table scheduled_messages validate constraint wide_ids;
alter table scheduled_message_attachments add constraint wide_ids check (wide_scheduled_message_id is not null and wide_attachment_id is not null) not valid;
alter table scheduled_message_attachments validate constraint wide_ids;
alter table drafts add constraint wide_ids check (wide_id is not null) not valid;
alter table drafts validate constraint wide_ids;

alter table message_flags add constraint wide_message_id_fkey
  foreign key (realm_id, wide_message_id) references messages (realm_id, wide_id) on delete cascade not valid;
alter table message_flags validate constraint wide_message_id_fkey;
alter table message_edits add constraint wide_message_id_fkey
  foreign key (realm_id, wide_message_id) references messages (realm_id, wide_id) on delete cascade not valid;
alter table message_edits validate constraint wide_message_id_fkey;
alter table reactions add constraint wide_message_id_fkey
  foreign key (realm_id, wide_message_id) references messages (realm_id, wide_id) on delete cascade not valid;
alter table reactions validate constraint wide_message_id_fkey;
alter table submessages add constraint wide_message_id_fkey
  foreign key (realm_id, wide_message_id) references messages (realm_id, wide_id) on delete cascade not valid;
alter table submessages validate constraint wide_message_id_fkey;
alter table message_attachments add constraint wide_message_id_fkey
  foreign key (realm_id, wide_message_id) references messages (realm_id, wide_id) on delete cascade not valid;
alter table message_attachments validate constraint wide_message_id_fkey;
alter table message_attachments add constraint wide_attachment_id_fkey
  foreign key (wide_attachment_id) references attachments (wide_id) on delete cascade not valid;
alter table message_attachments validate constraint wide_attachment_id_fkey;
alter table webhook_deliveries add constraint wide_message_id_fkey
  foreign key (realm_id, wide_message_id) references messages (realm_id, wide_id) on delete cascade not valid;
alter table webhook_deliveries validate constraint wide_message_id_fkey;
alter table scheduled_message_attachments add constraint wide_scheduled_message_id_fkey
  foreign key (wide_scheduled_message_id) references scheduled_messages (wide_id) on delete cascade not valid;
alter table scheduled_message_attachments validate constraint wide_scheduled_message_id_fkey;
alter table scheduled_message_attachments add constraint wide_attachment_id_fkey
  foreign key (wide_attachment_id) references attachments (wide_id) on delete cascade not valid;
alter table scheduled_message_attachments validate constraint wide_attachment_id_fkey;

-- Each realm's newest message: it goes on from there once it counts its own.
-- backfill realm_heads t
update realm_heads t
set message_id = greatest(t.message_id, (select max(m.wide_id) from messages m where m.realm_id = t.realm_id))
where portion;
