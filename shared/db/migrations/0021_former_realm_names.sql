-- Names that organizations had before they were renamed. Each leads to the organization's address, and no other may
-- take it.
create table former_realm_names (
  name text primary key,
  realm_id int not null references realms
);
