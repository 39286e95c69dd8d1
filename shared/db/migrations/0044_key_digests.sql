-- A keyed digest of the account's API key, by which a key that comes without an address is found. It is that of the key
-- with key_digest_generation: where this is not key_generation, it is not known yet, and a node computes it. So nodes
-- that know nothing of it may raise key_generation.
alter table users
  add column key_digest text,
  add column key_digest_generation int;
create index users_key_digest on users (key_digest) where key_digest is not null;
create index users_without_key_digest on users (realm_id)
  where key_digest_generation is distinct from key_generation;
