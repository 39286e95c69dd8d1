-- The tokens by which push services reach users' devices.
create table push_tokens (
  id bigint generated always as identity primary key,
  realm_id int not null references realms,
  user_id int not null references users,
  -- 'apns' or 'fcm'.
  service text not null,
  -- What the service calls the device; of APNs, in lower case.
  token text not null,
  -- The id of the app on an APNs device.
  app_id text,
  registered_at timestamptz not null
);
-- A device belongs to one account of an organization. A token may be too long for an index.
create unique index push_tokens_token on push_tokens (realm_id, service, md5(token));
create index push_tokens_of_user on push_tokens (user_id);
