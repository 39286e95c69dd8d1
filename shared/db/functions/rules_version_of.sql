/*
  Returns the version of a realm's rules. In a new term it is another one than any that the terms before can have had, the
  lost end of one of them as well: what a process remembers by a version, plans of sends above all, may be of a history
  that is gone. The append of the term's first entry records it.
*/
create or replace function rules_version_of(p_head realm_heads) returns bigint language sql stable as $$
  select case
    when p_head.term in ('', log_term(p_head.epoch)) then p_head.rules_version
    else p_head.rules_version + 1 + (hashtext(log_term(p_head.epoch)) & 2147483647)
  end
$$;
