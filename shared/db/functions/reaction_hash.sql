/*
  Returns what stands for somebody's reaction to a message. The reactions of a message are the exclusive or of these, in whatever
  order.
*/
create or replace function reaction_hash(p_user int, p_type text, p_code text) returns bigint
language sql immutable parallel safe as $$
  select hashtextextended(p_user::text || ' ' || p_type || ' ' || p_code, 0)
$$;
