-- Whether the user is shown as away, which is how older clients say that the user's presence is hidden.
alter table user_statuses add column away boolean not null default false;
