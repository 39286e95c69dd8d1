-- The domains that new email addresses must be of, where a realm keeps to domains.
create table realm_domains (
  id int generated always as identity primary key,
  realm_id int not null references realms,
  -- In lower case.
  domain text not null,
  allow_subdomains boolean not null,
  unique (realm_id, domain)
);
