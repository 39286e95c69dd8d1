-- Whether the user is shown as away: an old word for one whose presence is hidden.
alter table user_statuses add column away boolean not null default false;
