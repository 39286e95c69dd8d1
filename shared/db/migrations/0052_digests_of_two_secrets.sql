-- online
-- While the secret of the server is changed, an account has two keys. Its digests, the generation of the keys, and the names
-- of the secrets stand together; where one of them is not the present one, the digests are not known, and a node computes
-- them. Nodes of the version before go on with key_digest and key_digest_generation.
alter table users
  add column key_digests text[],
  add column key_digests_generation int,
  add column key_digests_secrets text;
create index concurrently users_key_digests on users using gin (key_digests);
create index concurrently users_without_key_digests on users (realm_id)
  where key_digests_generation is distinct from key_generation;
create index concurrently users_by_secrets_of_digests on users (key_digests_secrets, realm_id);
