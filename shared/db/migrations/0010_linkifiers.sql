create table linkifiers (
  id int generated always as identity primary key,
  realm_id int not null references realms,
  pattern text not null,
  url_template text not null,
  position int not null
);
create index linkifiers_realm on linkifiers (realm_id, position);

create table playgrounds (
  id int generated always as identity primary key,
  realm_id int not null references realms,
  name text not null,
  language text not null,
  url_template text not null
);
create index playgrounds_realm on playgrounds (realm_id);
