-- Sessions of people in browsers. A row holds no token, only its hash.
create table sessions (
  token_hash text primary key,
  user_id int not null references users,
  -- That of the account's API key when the session began: with another key, the session has ended.
  key_generation int not null,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index sessions_of_user on sessions (user_id, created_at);
create index sessions_expired on sessions (expires_at);
