/*
  Returns the version of a realm's rules. It is the one that the next entry records; but of a log that has no entry with a term
  yet, it is the one that stands there, by which nodes plan that know no terms. The parameters are those of next_rules_version.
*/
create or replace function rules_version_of(p_version bigint, p_term text, p_own_term text) returns bigint
language sql immutable as $$
  select case when p_term = '' then p_version else next_rules_version(p_version, p_term, p_own_term) end
$$;
create or replace function rules_version_of(p_head realm_heads) returns bigint language sql stable as $$
  select rules_version_of(p_head.rules_version, p_head.term, log_term(p_head.epoch))
$$;
