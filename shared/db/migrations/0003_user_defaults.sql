-- Default settings of new accounts that differ from the defaults in the code.
alter table realms add column user_defaults jsonb not null default '{}';
