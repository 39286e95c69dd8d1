-- Texts that users keep to insert into messages.
create table saved_snippets (
  id int primary key generated always as identity,
  user_id int not null references users,
  title text not null,
  content text not null,
  created_at timestamptz not null default now()
);
create index saved_snippets_of_user on saved_snippets (user_id, id);

-- Views that users have pinned in their clients' menu, or hidden there.
create table navigation_views (
  id int primary key generated always as identity,
  user_id int not null references users,
  -- The part of the view's address behind the #.
  fragment text not null,
  is_pinned bool not null,
  -- Null for a view that clients have by themselves.
  name text,
  unique (user_id, fragment)
);

-- One-time notices that users have seen.
create table onboarding_steps_seen (
  user_id int not null references users,
  name text not null,
  primary key (user_id, name)
);
