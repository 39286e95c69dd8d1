-- Accounts of programs that mirror messages of other services: they may send in the name of others, and at past times.
alter table users add column can_forge_sender boolean not null default false;
