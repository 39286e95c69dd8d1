/*
  Archives that were read into organizations, and what they brought: a later archive of the same source adds what it has
  more. A key stands for who sent a message and when, whatever ids the archive gives; it stays when the message is deleted.
*/
create table merged_archives (
  realm_id int not null references realms,
  -- The checksum of the archive's manifest.
  archive text not null,
  -- The last id that any of its messages has, or one before.
  last_message_id bigint not null,
  merged_at timestamptz not null default now(),
  primary key (realm_id, archive)
);

create table imported_messages (
  realm_id int not null references realms,
  key bigint not null,
  message_id bigint not null,
  -- Of the text as it came: it tells what has changed since at its source, and what here.
  content_hash bigint not null,
  primary key (realm_id, key)
);
create unique index imported_messages_message on imported_messages (realm_id, message_id);

-- Ids of what an import into an organization has made so far, by what they are ids of in the archive.
alter table realm_imports add column places jsonb;
