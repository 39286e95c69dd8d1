-- What the archive's manifest will say of a part.
alter table realm_export_parts add column summary jsonb not null default '{}';

-- Archives that are being read into realms which nobody can reach before all is there.
create table realm_imports (
  id int primary key generated always as identity,
  -- The checksum of the archive's manifest: the same archive is gone on with where it stopped.
  archive text not null,
  -- The name that the realm gets in the end.
  name text not null unique,
  realm_id int not null,
  -- By how much the numbers in the archive are raised, by what they are ids of.
  shifts jsonb not null,
  -- How many files of the archive have been read.
  files int not null default 0,
  started_at timestamptz not null default now()
);
