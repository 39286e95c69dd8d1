create table realms (
  id int generated always as identity primary key,
  name text not null unique,
  display_name text not null,
  description text not null default '',
  created_at timestamptz not null default now(),
  is_active boolean not null default true,
  -- A conversation of everyone but guests in which nobody writes. Its audience receives what all of them may see.
  members_conversation_id bigint
);

create table users (
  id int generated always as identity primary key,
  realm_id int not null references realms,
  email text not null,
  full_name text not null,
  role smallint not null,
  is_active boolean not null default true,
  bot_type smallint,
  bot_owner_id int references users,
  password_hash text,
  key_generation int not null default 1,
  email_visibility smallint not null default 1,
  timezone text not null default '',
  avatar_version int not null default 1,
  joined_at timestamptz not null default now()
);
create unique index users_email on users (realm_id, lower(email));

create table user_groups (
  id int generated always as identity primary key,
  realm_id int not null references realms,
  name text not null,
  description text not null default '',
  is_system boolean not null default false,
  unique (realm_id, name)
);

-- A conversation is a channel or a set of people. Clients know its id as recipient_id.
create table conversations (
  id bigint generated always as identity primary key,
  realm_id int not null references realms,
  -- Sorted user ids of a direct conversation; null for a channel's conversation.
  people int[],
  unique (realm_id, people)
);

create table channels (
  id int generated always as identity primary key,
  realm_id int not null references realms,
  conversation_id bigint not null unique references conversations,
  name text not null,
  description text not null default '',
  creator_id int references users,
  created_at timestamptz not null default now(),
  is_private boolean not null default false,
  is_web_public boolean not null default false,
  shares_history boolean not null default true,
  is_archived boolean not null default false,
  group_settings jsonb not null
);
create unique index channels_name on channels (realm_id, lower(name));

create table topics (
  id bigint generated always as identity primary key,
  channel_id int not null references channels,
  name text not null
);
create unique index topics_name on topics (channel_id, lower(name));

-- One row per user and conversation, however many messages are sent there. `received` and `read` are ranges of
-- ordinals.
create table conversation_members (
  conversation_id bigint not null references conversations,
  user_id int not null references users,
  is_subscribed boolean not null default true,
  received int8multirange not null default '{}',
  read int8multirange not null default '{}',
  color text not null default '#c2c2c2',
  pin_to_top boolean not null default false,
  is_muted boolean not null default false,
  primary key (conversation_id, user_id)
);
create index conversation_members_user on conversation_members (user_id);

create sequence message_ids as int;

create table messages (
  id int primary key,
  realm_id int not null,
  conversation_id bigint not null references conversations,
  -- The position in the conversation that the message was sent to. It never changes.
  ordinal bigint not null,
  channel_id int,
  topic_id bigint,
  sender_id int not null references users,
  sent_at timestamptz not null,
  content text not null,
  rendered_content text not null,
  client text not null,
  read_by_sender boolean not null,
  has_link boolean not null default false,
  has_image boolean not null default false,
  has_attachment boolean not null default false,
  -- Local echo: the sending queue and the sender's own id for the message. A retry has the same pair.
  queue_id text,
  local_id text
);
create unique index messages_ordinal on messages (conversation_id, ordinal) include (id);
create index messages_conversation on messages (conversation_id, id);
create index messages_channel on messages (channel_id, id) where channel_id is not null;
create index messages_topic on messages (topic_id, id) where topic_id is not null;
create unique index messages_echo on messages (sender_id, queue_id, local_id) where queue_id is not null;
