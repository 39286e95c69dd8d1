-- The head of a realm's log. Its row lock orders everything that clients are told of.
create table realm_heads (
  realm_id int primary key references realms,
  epoch uuid not null default gen_random_uuid(),
  seq bigint not null default 0,
  -- Rises when something changes that a planned send may depend on.
  rules_version bigint not null default 0
) with (fillfactor = 50);

-- Immutable sets of user ids, as portable Roaring bitmaps.
create table audiences (
  id bigint generated always as identity primary key,
  realm_id int not null,
  members bytea not null,
  -- From this time on no new entry refers to the set.
  superseded_at timestamptz
);
create index audiences_superseded on audiences (superseded_at) where superseded_at is not null;

-- The state of a conversation as of the newest entry of the log. Only the append writes to this table.
create table conversation_heads (
  conversation_id bigint primary key references conversations,
  ordinal bigint not null default 0,
  audience_id bigint references audiences,
  first_message_id int
) with (fillfactor = 50);

create table event_log (
  realm_id int not null,
  seq bigint not null,
  appended_at timestamptz not null,
  entry jsonb not null,
  primary key (realm_id, seq)
);
create index event_log_age on event_log using brin (appended_at);
