-- Notes that messages are gone, so that they are counted anew. The rows are read by themselves: they belong to no table.
create or replace function note_deleted_messages() returns trigger language plpgsql as $$
declare
  realms int[];
  blocks bigint[];
begin
  select array_agg(d.realm_id), array_agg(d.block) into realms, blocks
    from (select distinct realm_id, id >> 12 as block from gone) d;
  for i in 1 .. coalesce(cardinality(realms), 0) loop
    insert into changed_message_blocks (realm_id, block) values (realms[i], blocks[i]);
  end loop;
  return null;
end
$$;
