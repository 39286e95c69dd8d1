/*
  Returns the id behind which the messages of a new realm come, so that ids stay free for what was written elsewhere before;
  0 as long as all realms draw ids from one sequence.
*/
create or replace function last_id_for_history(p_id bigint) returns bigint language sql stable as $$
  select case when to_regclass('message_ids') is null then p_id else 0 end
$$;
