-- The length of an entry's JSON, so that readers can bound what they read without reading it first.
alter table event_log add column bytes int not null default 0;
