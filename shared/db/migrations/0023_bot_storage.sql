-- What programs keep on the server for the accounts that they run as: texts by key.
create table bot_storage (
  user_id int not null references users,
  key text not null,
  value text not null,
  -- Characters of key and value, and bytes of both as JSON.
  characters int not null,
  bytes int not null,
  primary key (user_id, key)
);
