/*
  Returns the version of a realm's rules that its next entry records. In a new term it is another one than any that the terms
  before can have had, the lost end of one of them as well: what a process remembers by a version, plans of sends above all,
  may be of a history that is gone.

  p_version, p_term  those of the head
  p_own_term         the term in which the server appends that holds the log

  The one with a row as parameter is for nodes of the version before.
*/
create or replace function next_rules_version(p_version bigint, p_term text, p_own_term text) returns bigint
language sql immutable as $$
  select p_version + case when p_term = p_own_term then 0 else 1 + (hashtext(p_own_term) & 2147483647) end
$$;
create or replace function next_rules_version(p_head realm_heads) returns bigint language sql stable as $$
  select next_rules_version(p_head.rules_version, p_head.term, log_term(p_head.epoch))
$$;
