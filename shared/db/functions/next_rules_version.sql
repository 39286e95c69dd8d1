/*
  Returns the version of a realm's rules that its next entry records. In a new term it is another one than any that the terms
  before can have had, the lost end of one of them as well: what a process remembers by a version, plans of sends above all,
  may be of a history that is gone.
*/
create or replace function next_rules_version(p_head realm_heads) returns bigint language sql stable as $$
  select p_head.rules_version + case
    when p_head.term = log_term(p_head.epoch) then 0
    else 1 + (hashtext(log_term(p_head.epoch)) & 2147483647)
  end
$$;
