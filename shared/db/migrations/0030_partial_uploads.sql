-- Uploads that arrive in pieces, over several requests. A row ends some time after the last piece, or after the first.
create table partial_uploads (
  -- Random, and a part of the upload's address.
  id text primary key,
  realm_id int not null references realms,
  user_id int not null references users,
  bytes int not null,
  -- Bytes that are stored so far.
  received int not null default 0,
  -- The file's name and type, as the client wrote them.
  metadata text,
  -- The upload that it has become.
  path_id text,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index partial_uploads_of_user on partial_uploads (user_id);
create index partial_uploads_of_realm on partial_uploads (realm_id);
create index partial_uploads_expired on partial_uploads (expires_at);

create table partial_upload_pieces (
  upload_id text not null references partial_uploads on delete cascade,
  -- The place of its first byte in the file.
  start int not null,
  -- The name of the stored object, in the upload's folder.
  name text not null,
  primary key (upload_id, start)
);
