/*
  Returns the version of a realm's rules. It is the one that the next entry records; but of a log that has no entry with a term
  yet, it is the one that stands there, by which nodes plan that know no terms.
*/
create or replace function rules_version_of(p_head realm_heads) returns bigint language sql stable as $$
  select case when p_head.term = '' then p_head.rules_version else next_rules_version(p_head) end
$$;
