-- online
/*
  By what an organization shows push services of browsers that a notification is from it (VAPID). The private key is
  encrypted with the secret of the deployment. It is made when it is first needed, and another one when the secret that
  encrypted it is gone.
*/
create table vapid_keys (
  realm_id int primary key references realms,
  public_key text not null,
  private_key text not null
);

/*
  A browser is a device with the service 'web'; its token is the address at which its push service takes notifications. They
  are encrypted with p256dh and auth. It has a name for its owner, who may pause it, and ends with the session that
  registered it.
*/
alter table push_tokens
  add column p256dh text,
  add column auth text,
  add column name text,
  add column session_hash text,
  add column expires_at timestamptz,
  add column paused_until timestamptz;
create index concurrently push_tokens_of_session on push_tokens (session_hash) where session_hash is not null;
create index concurrently push_tokens_expired on push_tokens (expires_at) where expires_at is not null;
alter table push_tokens add constraint push_tokens_session_hash_fkey
  foreign key (session_hash) references sessions on delete cascade not valid;
alter table push_tokens validate constraint push_tokens_session_hash_fkey;
