-- The head of a realm's log. Its row lock orders everything that clients hear of.
create table realm_heads (
  realm_id int primary key references realms,
  epoch uuid not null default gen_random_uuid(),
  seq bigint not null default 0,
  -- Rises when something changes that a plan for sending, made earlier, may depend on.
  rules_version bigint not null default 0
) with (fillfactor = 50);

-- Immutable sets of user ids, as portable Roaring bitmaps.
create table audiences (
  id bigint generated always as identity primary key,
  realm_id int not null,
  members bytea not null,
  -- From then on no new entry refers to it.
  superseded_at timestamptz
);
create index audiences_superseded on audiences (superseded_at) where superseded_at is not null;

-- What the log keeps about a conversation. Only the append writes here.
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
