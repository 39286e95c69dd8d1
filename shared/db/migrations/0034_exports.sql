-- Exports of a realm's data. Their archives lie in the file store, as parts that are sent one after the other.
create table realm_exports (
  id int primary key generated always as identity,
  realm_id int not null references realms,
  -- Who asked for it; null for the server's operator.
  user_id int references users,
  -- 1: what is public; 2: also what is private of members who consent; 3: everything, for the operator alone.
  type smallint not null check (type between 1 and 3),
  status text not null default 'requested'
    check (status in ('requested', 'started', 'succeeded', 'failed', 'deleted')),
  requested_at timestamptz not null,
  -- The folder of its parts. Nobody can guess it, so it also protects the archive's address.
  folder text not null,
  -- Rises whenever a worker takes the export up. A worker that knows an older number can write nothing more.
  lease int not null default 0,
  leased_until timestamptz,
  -- How often workers took it up without finishing a part.
  attempts smallint not null default 0,
  -- What the next part begins with, and what the manifest will say of those that are finished.
  progress jsonb not null default '{}',
  messages int not null default 0,
  messages_total int not null default 0,
  bytes bigint not null default 0,
  ended_at timestamptz,
  deleted_at timestamptz,
  -- Until when the archive of one that has succeeded is kept.
  expires_at timestamptz,
  failure text
);
create index realm_exports_of_realm on realm_exports (realm_id, id);
create index realm_exports_waiting on realm_exports (id) where status in ('requested', 'started');
create index realm_exports_expired on realm_exports (expires_at) where status = 'succeeded';

create table realm_export_parts (
  export_id int not null references realm_exports,
  -- The place in the archive.
  number int not null,
  -- The name of the stored object in the export's folder.
  name text not null,
  bytes bigint not null,
  primary key (export_id, number)
);
