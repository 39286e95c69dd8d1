-- Whom a provider of OpenID Connect knows an account as. Somebody is found by this from the second time on, whatever
-- address the provider then says they have, and an account belongs to one of them.
create table external_identities (
  realm_id int not null references realms,
  issuer text not null,
  subject text not null,
  user_id int not null references users,
  linked_at timestamptz not null default now(),
  primary key (realm_id, issuer, subject)
);
create unique index external_identities_of_user on external_identities (user_id, issuer);
