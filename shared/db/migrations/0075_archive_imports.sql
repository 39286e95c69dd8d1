/*
  Archives of other products, or of this one, that owners import into their organization: first they arrive in pieces, then
  workers plan and import them.
*/
create table archive_imports (
  realm_id int not null references realms,
  id bigint not null generated always as identity,
  -- Random, and a part of the upload's address.
  upload_id text not null,
  user_id int not null,
  file_name text not null,
  bytes bigint not null,
  -- Bytes that are stored so far.
  received bigint not null default 0,
  status text not null default 'uploading'
    check (status in ('uploading', 'planning', 'planned', 'importing', 'done', 'failed', 'cancelled')),
  -- What would be imported, what was, and how far the work is.
  plan jsonb,
  report jsonb,
  progress jsonb,
  failure text,
  -- Rises whenever a worker takes the import up. A worker that knows an older number can write nothing more.
  lease int not null default 0,
  leased_until timestamptz,
  -- How often workers took up a step of it without ending that.
  attempts smallint not null default 0,
  created_at timestamptz not null,
  ended_at timestamptz,
  -- When it is given up if nobody goes on with it.
  expires_at timestamptz not null,
  primary key (realm_id, id),
  foreign key (realm_id, user_id) references users (realm_id, id)
);
create unique index archive_imports_upload on archive_imports (realm_id, upload_id);
create unique index archive_imports_underway on archive_imports (realm_id)
  where status in ('uploading', 'planning', 'planned', 'importing');
create index archive_imports_waiting on archive_imports (leased_until) where status in ('planning', 'importing');
create index archive_imports_expiring on archive_imports (expires_at) where status in ('uploading', 'planned');

create table archive_import_pieces (
  realm_id int not null references realms,
  import_id bigint not null,
  -- The place of its first byte in the archive.
  start bigint not null,
  -- The name of the stored object, in the folder of the import.
  name text not null,
  primary key (realm_id, import_id, start),
  foreign key (realm_id, import_id) references archive_imports (realm_id, id) on delete cascade
);

-- Which process reads an archive into an organization that people use, and until when it has said that it does.
create table import_holds (
  realm_id int primary key references realms,
  holder text not null,
  held_until timestamptz not null
);
