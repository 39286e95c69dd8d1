-- Settings are stored if they differ from the defaults, which are in the code.
alter table realms
  add column settings jsonb not null default '{}',
  add column group_settings jsonb not null default '{}';

alter table users
  add column settings jsonb not null default '{}',
  -- A bot that belongs to the server itself, one of each kind in every realm. It announces what users did.
  add column is_system boolean not null default false,
  -- The folder of uploaded avatars in the file store; null for a gravatar.
  add column avatar_path text,
  -- The day on which the user was last active. Recently active users are listed first.
  add column last_active_on date,
  add column can_create_users boolean not null default false,
  add column can_change_user_emails boolean not null default false,
  -- For bots: the channel that the bot sends to by default, and the channels whose events its queues receive by
  -- default.
  add column default_sending_channel_id int,
  add column default_events_channel_id int,
  add column default_all_public_channels boolean not null default false;
create index users_bots on users (bot_owner_id) where bot_owner_id is not null;

-- The service of an outgoing-webhook bot.
create table bot_services (
  bot_id int primary key references users,
  base_url text not null,
  interface smallint not null,
  token text not null
);

create table custom_profile_fields (
  id int generated always as identity primary key,
  realm_id int not null references realms,
  name text not null,
  hint text not null default '',
  type smallint not null,
  field_data text not null default '',
  position int not null,
  is_required boolean not null default false,
  is_editable_by_user boolean not null default true,
  is_in_summary boolean not null default false
);
create unique index custom_profile_fields_name on custom_profile_fields (realm_id, lower(name));

create table custom_profile_values (
  user_id int not null references users,
  field_id int not null references custom_profile_fields on delete cascade,
  value text not null,
  rendered_value text,
  primary key (user_id, field_id)
);

create table channel_folders (
  id int generated always as identity primary key,
  realm_id int not null references realms,
  name text not null,
  description text not null default '',
  position int not null default 0,
  creator_id int references users,
  created_at timestamptz not null default now(),
  is_archived boolean not null default false
);
create index channel_folders_realm on channel_folders (realm_id);

alter table channels
  add column topics_policy text not null default 'inherit',
  -- Null inherits the organization's setting; -1 keeps messages for ever.
  add column message_retention_days int,
  add column folder_id int references channel_folders,
  -- New members of the organization are subscribed to a default channel.
  add column is_default boolean not null default false,
  add column is_recently_active boolean not null default true,
  add column weekly_traffic int;

create table default_channel_groups (
  id int generated always as identity primary key,
  realm_id int not null references realms,
  name text not null,
  description text not null default '',
  channel_ids int[] not null default '{}',
  unique (realm_id, name)
);

alter table conversation_members
  -- False for a user who never was subscribed and only received messages by being mentioned.
  add column was_subscribed boolean not null default true,
  add column desktop_notifications boolean,
  add column audible_notifications boolean,
  add column push_notifications boolean,
  add column email_notifications boolean,
  add column wildcard_mentions_notify boolean;

-- The visibility of a topic for a user. `policy` is 1 for muted, 2 for unmuted in a muted channel, 3 for followed.
create table user_topics (
  user_id int not null references users,
  topic_id bigint not null references topics,
  policy smallint not null,
  updated_at timestamptz not null,
  primary key (user_id, topic_id)
);
create index user_topics_topic on user_topics (topic_id);
create index topics_search on topics using gin (to_tsvector('english', name));

alter table messages
  -- Users for whom the message started as read: its sender, and those who mute the sender.
  add column read_by int[] not null default '{}',
  -- If not null, the message started as unread for these users only.
  add column unread_for int[],
  -- True if the message mentions everyone in the channel.
  add column mentions_channel boolean not null default false,
  add column edited_at timestamptz,
  add column search tsvector generated always as (to_tsvector('english', content)) stored;
update messages set read_by = array[sender_id] where read_by_sender;
alter table messages drop column read_by_sender;
create index messages_sender on messages (sender_id, id);
create index messages_search on messages using gin (search);
create index messages_with_link on messages (realm_id, id) where has_link;
create index messages_with_image on messages (realm_id, id) where has_image;
create index messages_with_attachment on messages (realm_id, id) where has_attachment;

-- Flags that few users have on a message. Reading is not among them: it is a range in conversation_members.
create table message_flags (
  user_id int not null references users,
  message_id int not null references messages on delete cascade,
  starred boolean not null default false,
  collapsed boolean not null default false,
  mentioned boolean not null default false,
  topic_wildcard_mentioned boolean not null default false,
  has_alert_word boolean not null default false,
  primary key (user_id, message_id)
);
create index message_flags_message on message_flags (message_id);
create index message_flags_starred on message_flags (user_id, message_id) where starred;
create index message_flags_mentioned on message_flags (user_id, message_id)
  where mentioned or topic_wildcard_mentioned;
create index message_flags_alerted on message_flags (user_id, message_id) where has_alert_word;
create index messages_mention_channel on messages (channel_id, id) where mentions_channel;

-- The content of a message before an edit.
create table message_edits (
  id bigint generated always as identity primary key,
  message_id int not null references messages on delete cascade,
  user_id int not null references users,
  edited_at timestamptz not null,
  prev_content text not null,
  prev_rendered_content text not null
);
create index message_edits_message on message_edits (message_id);

-- One row per move, however many messages it moved.
create table message_moves (
  id bigint generated always as identity primary key,
  realm_id int not null references realms,
  user_id int not null references users,
  moved_at timestamptz not null,
  message_ids int4multirange not null,
  prev_channel_id int not null,
  channel_id int not null,
  prev_topic text not null,
  topic text not null,
  -- Resolving and unresolving a topic are recorded as moves, but users look for none of them.
  is_resolving boolean not null
);
create index message_moves_ids on message_moves using gist (message_ids);

-- Deleted messages, kept for as long as somebody may want them back.
create table archived_messages (
  id int primary key,
  realm_id int not null,
  deleted_at timestamptz not null,
  message jsonb not null
);
create index archived_messages_age on archived_messages (deleted_at);

create table reactions (
  id bigint generated always as identity primary key,
  message_id int not null references messages on delete cascade,
  user_id int not null references users,
  emoji_name text not null,
  emoji_code text not null,
  reaction_type text not null,
  unique (message_id, user_id, reaction_type, emoji_code)
);
create index reactions_user on reactions (user_id, message_id);

create table realm_emoji (
  id int generated always as identity primary key,
  realm_id int not null references realms,
  name text not null,
  author_id int references users,
  path text not null,
  still_path text,
  is_deactivated boolean not null default false
);
create unique index realm_emoji_name on realm_emoji (realm_id, name) where not is_deactivated;

create table alert_words (
  user_id int not null references users,
  realm_id int not null references realms,
  word text not null
);
create unique index alert_words_word on alert_words (user_id, lower(word));
create index alert_words_realm on alert_words (realm_id);

create table muted_users (
  user_id int not null references users,
  muted_user_id int not null references users,
  muted_at timestamptz not null default now(),
  primary key (user_id, muted_user_id)
);
create index muted_users_muted on muted_users (muted_user_id);

create table attachments (
  id int generated always as identity primary key,
  realm_id int not null references realms,
  owner_id int not null references users,
  -- The path in the file store, which is also the end of the upload's URL.
  path_id text not null unique,
  name text not null,
  content_type text not null,
  size bigint not null,
  -- Properties of a picture, which thumbnails depend on.
  image jsonb,
  created_at timestamptz not null default now()
);
create index attachments_owner on attachments (owner_id);
create index attachments_realm on attachments (realm_id) include (size);

create table message_attachments (
  message_id int not null references messages on delete cascade,
  attachment_id int not null references attachments on delete cascade,
  primary key (message_id, attachment_id)
);
create index message_attachments_attachment on message_attachments (attachment_id);

create table presences (
  user_id int primary key references users,
  realm_id int not null references realms,
  active_at timestamptz,
  idle_at timestamptz,
  -- Rises with every change, so that a client can ask for all changes after the newest that it has.
  update_id bigint not null
);
create sequence presence_updates;
create index presences_newest on presences (realm_id, update_id);

create table user_statuses (
  user_id int primary key references users,
  text text not null default '',
  emoji_name text not null default '',
  emoji_code text not null default '',
  reaction_type text not null default ''
);

-- The number of members.
alter table audiences add column size int not null default 0;
update audiences set size = (
  select count(*) from conversation_heads h
  join conversation_members m on m.conversation_id = h.conversation_id and m.is_subscribed
  where h.audience_id = audiences.id
);

-- The bot that announces what users did, for realms that exist already; new realms are created with it. Role 400 is a
-- member, bot type 1 a generic bot.
insert into users (realm_id, email, full_name, role, bot_type, is_system)
  select id, 'notification-bot@' || name || '.invalid', 'Notification Bot', 400, 1, true from realms;
