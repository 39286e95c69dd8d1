-- Pictures that an organization has uploaded, where they lie in the file store; null for the server's. A version rises
-- with every change.
alter table realms
  add column icon_path text,
  add column icon_version int not null default 1,
  add column logo_path text,
  add column logo_version int not null default 1,
  add column night_logo_path text,
  add column night_logo_version int not null default 1;
