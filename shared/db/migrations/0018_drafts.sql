-- Messages that users have not sent yet, as their clients share them.
create table drafts (
  id int primary key generated always as identity,
  user_id int not null references users,
  -- 'stream', 'private', or '' while it is addressed to nobody.
  type text not null,
  -- The channel's id, or the ids of the other users.
  recipients int[] not null,
  topic text not null,
  content text not null,
  edited_at timestamptz not null
);
create index drafts_of_user on drafts (user_id, edited_at, id);
