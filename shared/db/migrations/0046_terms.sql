-- The term in which the newest entry of a log was written: the time for which one run of one server writes it. Empty for
-- entries from before there were terms.
alter table realm_heads add column term text not null default '';
-- How the epochs of the log before the present one began, the newest first.
alter table realm_heads add column former_epochs text[] not null default '{}';
