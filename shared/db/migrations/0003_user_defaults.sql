-- What accounts start with, where it differs from the defaults in the code.
alter table realms add column user_defaults jsonb not null default '{}';
