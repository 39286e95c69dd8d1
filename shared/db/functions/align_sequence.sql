/*
  Lets this server of a distributed database draw from a sequence only numbers that are its own, above p_from, which is a
  multiple of p_step: those that leave, when divided by p_step, the place of the server among all. Only the owner of a
  sequence may change it. One that has such numbers already is only set further, for which nobody waits who draws from it.
*/
create or replace function align_sequence(p_sequence regclass, p_from bigint, p_step int) returns void
language plpgsql as $$
declare
  place int;
  dealt_out boolean;
  reached bigint;
begin
  select count(*) into place from pg_dist_node n
    where n.noderole = 'primary' and n.groupid < (select groupid from pg_dist_local_group);
  select seqincrement = p_step into dealt_out from pg_sequence where seqrelid = p_sequence;
  if not dealt_out then
    execute format('alter sequence %s increment by %s restart with %s', p_sequence, p_step, p_from + place);
    return;
  end if;
  -- pg_sequence_last_value says nothing of one from which nobody has drawn since it was set, and that one must not go back.
  execute format('select last_value from %s', p_sequence) into reached;
  if reached < p_from + place then
    perform setval(p_sequence, p_from + place, false);
  end if;
end
$$;
