-- online
/*
  How many messages of each channel are in a block: 4096 ids of a realm that follow each other. Blocks from next_block on
  are not counted yet, and those in changed_message_blocks have to be counted again.
*/
create table message_count_cursors (
  realm_id int primary key references realms,
  next_block bigint not null,
  -- When the traffic of the realm's channels was last measured.
  measured_at timestamptz
) with (fillfactor = 50);
create index message_count_cursors_measured on message_count_cursors (measured_at);

create table message_counts (
  realm_id int not null references realms,
  block bigint not null,
  channel_id int not null,
  messages int not null,
  primary key (realm_id, block, channel_id)
);

-- A row for each change, so that no change waits for another, and none is taken for one that was counted.
create table changed_message_blocks (
  realm_id int not null references realms,
  block bigint not null,
  id bigint not null generated always as identity,
  primary key (realm_id, block, id)
);

create function note_deleted_messages() returns trigger language plpgsql as $$
begin
  insert into changed_message_blocks (realm_id, block) select distinct realm_id, id >> 12 from gone;
  return null;
end
$$;
create function note_moved_message() returns trigger language plpgsql as $$
begin
  insert into changed_message_blocks (realm_id, block) values (new.realm_id, new.id >> 12);
  return null;
end
$$;
create trigger note_deleted_messages after delete on messages
  referencing old table as gone for each statement execute function note_deleted_messages();
create trigger note_moved_messages after update of channel_id on messages
  for each row when (old.channel_id is distinct from new.channel_id) execute function note_moved_message();
