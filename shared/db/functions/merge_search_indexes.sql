/*
  Merges into the indexes of searches what waits in their lists. A server of a divided database has one of each for each part
  of the tables that it holds. Only the owner of an index may, so this runs with the rights of the owner.
*/
create or replace function merge_search_indexes() returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  part regclass;
begin
  perform gin_clean_pending_list('messages_search_keys'), gin_clean_pending_list('topics_search_words');
  if to_regclass('pg_catalog.pg_dist_shard') is null then
    return;
  end if;
  for part in
    select to_regclass('messages_search_keys_' || shardid) from pg_dist_shard where logicalrelid = 'messages'::regclass
    union all
    select to_regclass('topics_search_words_' || shardid) from pg_dist_shard where logicalrelid = 'topics'::regclass
  loop
    begin
      perform gin_clean_pending_list(part);
    exception when internal_error then
      -- Moved or divided meanwhile, a part has no such index here any more.
      if exists (select from pg_class where oid = part) then
        raise;
      end if;
    end;
  end loop;
end
$$;
revoke execute on function merge_search_indexes() from public;
