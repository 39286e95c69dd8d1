-- The ways to sign in that a realm has switched on or off; those that it does not name are on.
alter table realms add column authentication_methods jsonb not null default '{}';
