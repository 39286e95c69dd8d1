-- When the present epoch of a log began, by the clock of its server; null for one from before this was known.
alter table realm_heads add column epoch_began_at timestamptz;
